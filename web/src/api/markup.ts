/** Markup from this service: rules and drawings. The page renders no other markup. */
const policy = window.trustedTypes?.createPolicy("service", { createHTML: (markup: string) => markup });

/** Mark text from the service as markup for `{@html}`. */
export function fromService(markup: string): string {
  return (policy?.createHTML(markup) ?? markup) as string;
}
