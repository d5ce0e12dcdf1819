/** A game's options as fields of a form, read off their JSON schema. */

interface Schema {
  readonly type?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly $defs?: Record<string, { properties?: Record<string, Schema> }>;
}

export type Field = { readonly name: string; readonly default: unknown } & (
  | { readonly kind: "flag" }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice" | "choices"; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: "json" }
);

/** Give the fields of an options schema, in its order. */
export function fieldsOf(schema: Schema): Field[] {
  const properties = schema.$defs?.Options?.properties ?? {};
  return Object.entries(properties).map(([name, property]) => ({
    name,
    default: property.default,
    ...kindOf(property),
  }));
}

function kindOf(
  schema: Schema,
):
  | { kind: "flag" }
  | { kind: "number"; min: number; max: number }
  | { kind: "choice" | "choices"; values: readonly (string | number | boolean)[] }
  | { kind: "json" } {
  if (schema.enum) return { kind: "choice", values: schema.enum };
  if (schema.type === "boolean") return { kind: "flag" };
  if (schema.type === "integer") {
    return { kind: "number", min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER };
  }
  if (schema.type === "array" && schema.items?.enum) return { kind: "choices", values: schema.items.enum };
  return { kind: "json" };
}
