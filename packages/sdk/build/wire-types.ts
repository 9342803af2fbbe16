import { type JsonSchema, openApi } from '@inkling/contract/openapi'

/** The shapes that public functions take or return, and those that they refer to. */
const NAMES = [
  'HistoryPage',
  'HistoryRow',
  'ScoreDetail',
  'Explanation',
  'ExplainedEntry',
  'VisitVelocity',
  'VelocityCounts',
  'AssessRequest',
  'Assessment',
  'AssessedPage',
  'DecideRequest',
  'DecideAnswer',
  'DecideRefusal',
  'DecisionFields',
  'DecisionEffect',
  'LabelDraft',
  'Label',
  'DeclaredAgent',
  'AgentSignature',
  'DomainProfile',
  'IdentificationScored',
  'PatternChanged',
  'DecisionChanged',
  'DeviceMerged',
  'DeviceSplit',
  'WebhookPing',
  'TrafficSource',
  'RiskSignal',
  'DetectionFlags',
  'Uuid',
] as const

const REF_PREFIX = '#/components/schemas/'

/**
 * The contract's shapes as plain declarations, so that the published package depends neither on the contract nor
 * on its schema library. Written by hand because the usual generators nest everything in one type, while these
 * names are public.
 */
export function wireTypes(): string {
  const nowhere = { history: '', management: '', ingest: '', agent: '' }
  const schemas = openApi({ version: '', serviceName: 'Svc', urls: nowhere }).components.schemas
  const declared = NAMES.map((name) => {
    const schema = schemas[name]
    if (!schema) throw new Error(`the contract has no ${name}`)
    return `${comment(schema, '')}export type ${name} = ${typeText(schema, '')}\n`
  })
  return [...declared, 'export type DetectionFlag = keyof DetectionFlags\n'].join('\n')
}

function typeText(schema: JsonSchema, indent: string): string {
  const { $ref, const: constant, enum: values, anyOf, type } = schema
  if ($ref !== undefined) return $ref.replace(REF_PREFIX, '')
  if (constant !== undefined) return JSON.stringify(constant)
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf !== undefined) return anyOf.map((option) => typeText(option, indent)).join(' | ')
  if (Array.isArray(type)) return type.map((name) => plainType(name, schema, indent)).join(' | ')
  return type === undefined ? 'unknown' : plainType(type, schema, indent)
}

function plainType(type: string, schema: JsonSchema, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array' && schema.prefixItems) return tupleType(schema.prefixItems, indent)
  if (type === 'array') return `(${itemType(schema, indent)})[]`
  if (type === 'object') return objectType(schema, indent)
  return type
}

const tupleType = (items: NonNullable<JsonSchema['prefixItems']>, indent: string): string =>
  `[${items.map((item) => (typeof item === 'object' ? typeText(item, indent) : 'unknown')).join(', ')}]`

const itemType = ({ items }: JsonSchema, indent: string): string =>
  typeof items === 'object' && !Array.isArray(items) ? typeText(items, indent) : 'unknown'

function objectType(schema: JsonSchema, indent: string): string {
  const { properties, required = [], additionalProperties } = schema
  if (!properties) {
    const of = typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : 'unknown'
    return `Record<string, ${of}>`
  }
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, field]) => {
    if (typeof field === 'boolean') throw new Error(`no shape for ${name}`)
    const optional = required.includes(name) ? '' : '?'
    return `${comment(field, inner)}${inner}${name}${optional}: ${typeText(field, inner)}\n`
  })
  return `{\n${fields.join('')}${indent}}`
}

const comment = ({ description }: JsonSchema, indent: string): string =>
  description ? `${indent}/** ${description} */\n` : ''
