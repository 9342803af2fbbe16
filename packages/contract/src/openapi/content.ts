import { type ComponentName, schemaRef } from './components.ts'
import type { Content, Example, JsonSchema, Parameter, Response } from './document.ts'

export const JSON_TYPE = 'application/json'
export const JSON_UTF8_TYPE = 'application/json; charset=utf-8'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

export type Examples = Record<string, Example>

export const content = (type: string, schema: JsonSchema, examples: Examples = {}): Content => ({
  [type]: { schema, ...(Object.keys(examples).length > 0 && { examples }) },
})

/** A JSON body of a published schema. */
export const json = (name: ComponentName, examples: Examples, type: string = JSON_TYPE): Content =>
  content(type, schemaRef(name), examples)

/** A JSON array of a published schema. */
export const jsonArray = (name: ComponentName, examples: Examples, type: string = JSON_TYPE): Content =>
  content(type, { type: 'array', items: schemaRef(name) }, examples)

/** `{"error": …}`, one example per text. */
export const errorContent = (type: string, ...texts: string[]): Content =>
  json('ErrorBody', Object.fromEntries(texts.map(errorExample)), type)

const errorExample = (error: string): [string, Example] => [
  exampleName(error),
  { summary: error, value: { error } },
]

/** A name that tools accept as a key: the words of a text in camel case. */
export const exampleName = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '')
    .slice(0, 40)
    .replace(/^./, (first) => first.toLowerCase())

export const pathParameter = (
  name: string,
  schema: JsonSchema,
  description: string,
  example?: unknown,
): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  ...(example !== undefined && { example }),
})

export const queryParameter = (
  name: string,
  schema: JsonSchema,
  description: string,
  required = false,
): Parameter => ({ name, in: 'query', required, description, schema })

export const described = (description: string, content: Content): Response => ({ description, content })
