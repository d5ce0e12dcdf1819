/** Markup that comes from this service itself, rules and drawings: the only markup that the page lets in. */
const policy = window.trustedTypes?.createPolicy("service", { createHTML: (markup: string) => markup });

/** Mark text from the service as markup for `{@html}`. */
export function fromService(markup: string): string {
  return (policy?.createHTML(markup) ?? markup) as string;
}
