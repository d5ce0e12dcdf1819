/** Form fields from a JSON schema: a game's options, a command's fields. */

export interface Schema {
  readonly type?: string;
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly (string | number | boolean)[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

type Choice = string | number | boolean;
type Kind =
  | { readonly kind: "flag" }
  | { readonly kind: "number"; readonly min: number; readonly max: number }
  | { readonly kind: "choice" | "choices"; readonly values: readonly Choice[] }
  | { readonly kind: "row"; readonly places: readonly (readonly Choice[])[] }
  | { readonly kind: "json" };
export type Field = { readonly name: string; readonly default: unknown } & Kind;

/** Return the fields of an options schema, in its order. */
export function optionFields(schema: Schema): Field[] {
  return fieldsOf(resolved(schema, schema));
}

/** Return the fields of each kind of command, by its type. */
export function commandFields(schema: Schema): Map<string, Field[]> {
  const found = new Map<string, Field[]>();
  for (const part of schema.anyOf ?? [schema]) {
    const command = resolved(schema, part);
    const type = command.properties?.type?.enum?.[0];
    if (typeof type === "string") found.set(type, fieldsOf(command));
  }
  return found;
}

/** Return what a part of a schema refers to. */
function resolved(schema: Schema, part: Schema): Schema {
  return schema.$defs?.[part.$ref?.split("/").at(-1) ?? ""] ?? {};
}

function fieldsOf(schema: Schema): Field[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => name !== "type")
    .map(([name, property]) => ({ name, default: property.default, ...kindOf(property) }));
}

function kindOf(schema: Schema): Kind {
  if (schema.enum) return { kind: "choice", values: schema.enum };
  if (schema.type === "boolean") return { kind: "flag" };
  if (schema.type === "integer") {
    return { kind: "number", min: schema.minimum ?? 0, max: schema.maximum ?? Number.MAX_SAFE_INTEGER };
  }
  if (schema.type === "array" && schema.items?.enum) return { kind: "choices", values: schema.items.enum };
  if (schema.type === "array" && schema.prefixItems?.every((item) => item.enum)) {
    return { kind: "row", places: schema.prefixItems.map((item) => item.enum ?? []) };
  }
  return { kind: "json" };
}
