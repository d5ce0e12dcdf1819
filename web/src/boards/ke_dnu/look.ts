/** The state of a card in the viewer's plan. */
export interface Look {
  readonly looked: boolean;
  readonly usable: boolean;
  readonly candidate: boolean;
  readonly picked: boolean;
  readonly fresh: boolean;
  readonly note: string;
  readonly price: number | null;
}
