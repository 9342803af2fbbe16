import { z } from 'zod'
import { ACCOUNT_SCHEMAS } from '../account/index.ts'
import { CallbackAnswer, ErrorBody, HealthAnswer, IngestAcknowledgment } from '../answers.ts'
import { DetectionFlags } from '../detection-flags.ts'
import { DomainProfile } from '../domain-profile.ts'
import { ExplainedEntry, Explanation } from '../explanation.ts'
import { HistoryPage, HistoryRow, ScoreDetail } from '../history-row.ts'
import { SearchTypeName, Uuid } from '../identifiers.ts'
import { IngestBody, ReadingError } from '../ingest-body.ts'
import { LegacySnapshot } from '../legacy-snapshot.ts'
import { OlderHistoryPage, OlderHistoryRow } from '../older-history-row.ts'
import { PatternChanged } from '../patterns.ts'
import {
  IdentificationScored,
  RiskSignal,
  TestDelivery,
  TrafficSource,
  WebhookPing,
} from '../webhook-events.ts'
import type { JsonSchema } from './document.ts'

/** Every schema with a name of its own, in the order a reader meets them. */
export const COMPONENTS = {
  HistoryPage,
  HistoryRow,
  ScoreDetail,
  Explanation,
  ExplainedEntry,
  DomainProfile,
  LegacySnapshot,
  OlderHistoryPage,
  OlderHistoryRow,
  CallbackAnswer,
  IngestBody,
  ReadingError,
  IngestAcknowledgment,
  IdentificationScored,
  TestDelivery,
  PatternChanged,
  WebhookPing,
  TrafficSource,
  RiskSignal,
  DetectionFlags,
  ...ACCOUNT_SCHEMAS,
  HealthAnswer,
  ErrorBody,
  SearchType: SearchTypeName,
  Uuid,
} as const satisfies Record<string, z.ZodType>

export type ComponentName = keyof typeof COMPONENTS

const REF_PREFIX = '#/components/schemas/'

export const schemaRef = (name: ComponentName): JsonSchema => ({ $ref: `${REF_PREFIX}${name}` })

/**
 * The published JSON Schemas by name. They describe what a reader must accept, so unknown fields are
 * allowed: a later release may add some.
 */
export function componentSchemas(refPrefix: string = REF_PREFIX): Record<ComponentName, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(COMPONENTS)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    uri: (id) => `${refPrefix}${id}`,
    override: ({ jsonSchema }) => tidy(jsonSchema),
  })
  const named = Object.keys(COMPONENTS).map((name) => [name, withoutIdentity(schemas[name])])
  return Object.fromEntries(named) as Record<ComponentName, JsonSchema>
}

/** Drops what only says how zod checks: bounds of a safe integer, the pattern behind a known format. */
export function tidy(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.format !== undefined) delete schema.pattern
}

function withoutIdentity(schema: JsonSchema | undefined): JsonSchema {
  const { $schema: _dialect, $id: _id, ...rest } = schema ?? {}
  return rest
}
