/** Places in a document as JSON Pointers (RFC 6901) and as JMESPath conditions. */

/** Return the pointer to a member of `path`. */
export function below(path: string, key: string): string {
  return `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Return the JMESPath condition that a place has a value. */
export function condition(path: string, value: unknown): string {
  const parts = path
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const place = parts
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `.${/^[A-Za-z_]\w*$/.test(part) ? part : JSON.stringify(part)}`,
    )
    .join("")
    .replace(/^\./, "");
  return `${place || "@"} == \`${JSON.stringify(value).replaceAll("`", "\\`")}\``;
}

/** The value of a place that does not exist. */
export const NOTHING = Symbol("nothing");

export const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
