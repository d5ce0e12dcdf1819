/**
 * The second half of a double press. It is not meant for a button that has come in place of the one
 * that the first half was for. A place on the board stays what it is.
 */
export class Presses {
  #first: string | null = null;
  #sent = false;

  /** Remember that the last press has sent a command. */
  sent(): void {
    this.#sent = true;
  }

  /** Stop a press that follows one at the same place, unless it means what that one meant. */
  hear(event: MouseEvent, busy: boolean): void {
    const name = buttonAt(event.target as Element);
    if (event.detail < 2) {
      this.#first = name;
      this.#sent = false;
    } else if (this.#sent && (busy || name !== this.#first)) {
      event.stopPropagation();
      event.preventDefault();
    }
  }
}

/** Return the words of the button of the dock that is pressed; null if it is none. */
function buttonAt(target: Element): string | null {
  return target.closest(".dock button")?.textContent ?? null;
}
