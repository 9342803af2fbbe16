import type { JsonSchema } from '@inkling/contract/openapi'
import { type Html, html } from './html.ts'
import { inlineProse, prose } from './prose.ts'

const REF_PREFIX = '#/components/schemas/'

/** Strings of a known form, by what a person calls it. */
const FORMATS: Record<string, string> = {
  binary: 'bytes',
  ipv4: 'IPv4 address',
  ipv6: 'IPv6 address',
  uri: 'URL',
}

export const schemaAnchor = (name: string): string => `schema-${name}`

/** What kind of value a schema takes, with links to the schemas it names. */
export function typeLabel(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(REF_PREFIX, '')
    return html`<a href="#${schemaAnchor(name)}">${name}</a>`
  }
  if (schema.const !== undefined) return html`always <code>${JSON.stringify(schema.const)}</code>`
  if (schema.type === 'array') return html`array of ${typeLabel(itemsOf(schema))}`
  const variants = schema.anyOf as JsonSchema[] | undefined
  if (variants) return joined(uniqueByText(variants.map(typeLabel)), ' or ')
  if (isMap(schema)) return html`map of ${typeLabel(schema.additionalProperties as JsonSchema)}`
  if (schema.contentSchema !== undefined)
    return html`string holding JSON: ${typeLabel(schema.contentSchema as JsonSchema)}`
  if (schema.format !== undefined) return html`${FORMATS[schema.format] ?? schema.format}`
  return html`${schema.type ?? 'anything'}`
}

/** The rules that a value must keep, in words. */
export function rulesOf(schema: JsonSchema): Html | undefined {
  const { minimum, maximum, minLength, maxLength, maxItems } = schema
  const rules = [
    schema.enum &&
      html`one of ${joined(
        schema.enum.map((value) => html`<code>${String(value)}</code>`),
        ', ',
      )}`,
    range(minimum, maximum, ''),
    minLength === 1 && maxLength === undefined ? html`not empty` : range(minLength, maxLength, ' characters'),
    range(undefined, maxItems, ' items'),
    schema.pattern !== undefined && html`pattern <code>${schema.pattern}</code>`,
    schema.default !== undefined && html`default <code>${JSON.stringify(schema.default)}</code>`,
  ].filter((rule) => rule instanceof Object)
  return rules.length === 0 ? undefined : html`<span class="rules">${joined(rules, '; ')}</span>`
}

/** The fields of an object; for a schema without fields its type and rules. */
export function schemaTable(schema: JsonSchema): Html {
  const tables = fieldTables(schema)
  if (tables.length > 0) return joined(tables, html`<p class="or">or</p>`)
  return html`<p class="type">${typeLabel(schema)} ${rulesOf(schema)}</p>`
}

/** One table per form of object that a schema allows, those inside arrays included. */
function fieldTables(schema: JsonSchema): Html[] {
  if (schema.$ref !== undefined) return []
  if (schema.type === 'array') return fieldTables(itemsOf(schema))
  if (schema.anyOf) return (schema.anyOf as JsonSchema[]).flatMap(fieldTables)
  const fields = Object.entries(schema.properties ?? {}) as [string, JsonSchema][]
  if (fields.length === 0) return []
  return [
    html`<table class="fields"><thead class="unseen"><tr><th>Field</th><th>Description</th></tr></thead><tbody>${fields.map(
      ([name, field]) => fieldRow(name, field, { optional: !schema.required?.includes(name) }),
    )}</tbody></table>`,
  ]
}

/** A field with what it means; inner objects fold open. */
export function fieldRow(name: string, schema: JsonSchema, { optional = false, note = '' }): Html {
  const { description = '' } = schema
  const inner = fieldTables(schema)
  return html`<tr>
<th scope="row"><code>${name}</code><span class="type">${typeLabel(schema)}</span>${
    optional && html`<span class="note">optional</span>`
  }${note !== '' && html`<span class="note">${note}</span>`}</th>
<td>${description.includes('\n\n') ? prose(description) : inlineProse(description)}${rulesOf(schema)}${
    inner.length > 0 &&
    html`<details><summary>Its fields</summary>${joined(inner, html`<p class="or">or</p>`)}</details>`
  }</td>
</tr>
`
}

const itemsOf = (schema: JsonSchema): JsonSchema =>
  typeof schema.items === 'object' && !Array.isArray(schema.items) ? (schema.items as JsonSchema) : {}

const isMap = (schema: JsonSchema): boolean =>
  typeof schema.additionalProperties === 'object' && schema.properties === undefined

function range(from: number | undefined, to: number | undefined, unit: string): Html | undefined {
  if (from === undefined && to === undefined) return undefined
  if (from === undefined) return html`at most ${to}${unit}`
  return to === undefined ? html`at least ${from}${unit}` : html`${from} to ${to}${unit}`
}

const joined = (parts: readonly Html[], separator: Html | string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`

const uniqueByText = (parts: readonly Html[]): Html[] => [
  ...new Map(parts.map((part) => [part.text, part])).values(),
]
