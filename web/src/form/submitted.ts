/** Forms that make a call, where a browser would load another page. */

/** Return what listens to a form's submission, and acts instead of the browser. */
export const submitted =
  (act: () => Promise<unknown>) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    void act();
  };
