import { z } from 'zod'
import type { CreateDocumentOptions } from 'zod-openapi'
import { ACCOUNT_SCHEMAS } from '../account/index.ts'
import { AgentRule, AgentSignature, DeclaredAgent } from '../agents.ts'
import { DomainProfile, ErrorBody, HealthAnswer, IngestAcknowledgment } from '../answers.ts'
import { AssessedPage, Assessment, AssessRequest } from '../assess.ts'
import { ChangeFeedLine } from '../change-feed.ts'
import { DecideAnswer, DecideRefusal, DecideRequest } from '../decide.ts'
import { DecisionChanged } from '../decision-changed.ts'
import { DeviceMerged, DeviceSplit } from '../device-changed.ts'
import { ExplainedEntry, Explanation } from '../explanation.ts'
import { SearchTypeName, Uuid } from '../fields.ts'
import { HistoryPage, HistoryRow, ScoreDetail } from '../history-row.ts'
import { IngestBody, ReadingError } from '../ingest-body.ts'
import { Label, LabelDraft } from '../labels.ts'
import { CallbackAnswer, LegacySnapshot, OlderHistoryPage, OlderHistoryRow } from '../older-shapes.ts'
import { PatternChanged } from '../patterns.ts'
import { VelocityCounts, VisitVelocity } from '../velocity.ts'
import {
  DetectionFlags,
  IdentificationScored,
  RiskSignal,
  TestDelivery,
  TrafficSource,
  WebhookPing,
} from '../webhook-events.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Every schema with a name of its own, in the order a reader meets them. */
export const COMPONENTS = {
  HistoryPage,
  HistoryRow,
  ScoreDetail,
  Explanation,
  ExplainedEntry,
  VisitVelocity,
  VelocityCounts,
  AssessRequest,
  Assessment,
  AssessedPage,
  DecideRequest,
  DecideAnswer,
  DecideRefusal,
  LabelDraft,
  Label,
  DeclaredAgent,
  AgentSignature,
  AgentRule,
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
  DecisionChanged,
  DeviceMerged,
  DeviceSplit,
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

/** Leaves out what only says how zod checks a value, and keeps answers open for fields of later releases. */
export const override: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema, zodSchema, io }) => {
  tidy(jsonSchema)
  const { def } = zodSchema._zod
  if (io === 'output' && def.type === 'object' && def.catchall === undefined)
    delete jsonSchema.additionalProperties
  // A described copy of a named schema is a reference with leftovers, one of which would forbid every field.
  for (const property of Object.values(jsonSchema.properties ?? {}))
    if (typeof property === 'object' && property.$ref !== undefined) {
      delete property.additionalProperties
      delete property.param
    }
}

function tidy(schema: { minimum?: number; maximum?: number; format?: string; pattern?: string }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.format !== undefined) delete schema.pattern
}

/** Schemas that are published on their own, by file name. */
const PUBLISHED = {
  'history-row': 'HistoryRow',
  'history-page': 'HistoryPage',
  'identification-scored': 'IdentificationScored',
  'pattern-changed': 'PatternChanged',
  'decision-changed': 'DecisionChanged',
  'device-merged': 'DeviceMerged',
  'device-split': 'DeviceSplit',
  'webhook-ping': 'WebhookPing',
  'ingest-body': 'IngestBody',
  'domain-profile': 'DomainProfile',
  'legacy-snapshot': 'LegacySnapshot',
  explanation: 'Explanation',
} as const satisfies Record<string, ComponentName>

/** What no route takes or answers, so that the document does not name it. */
const IN_FILES = { 'change-feed-line': { title: 'ChangeFeedLine', schema: ChangeFeedLine } } as const

export type PublishedSchema = keyof typeof PUBLISHED | keyof typeof IN_FILES
export const PUBLISHED_SCHEMAS = [...Object.keys(PUBLISHED), ...Object.keys(IN_FILES)] as PublishedSchema[]

/** JSON Schemas (draft 2020-12) of what crosses a wire, as a reader has to accept it. Each is complete in itself. */
export function jsonSchemas(): Record<PublishedSchema, JsonSchema> {
  const components = Object.entries(PUBLISHED).map(
    ([file, title]) => [file, { title, schema: COMPONENTS[title] }] as const,
  )
  const entries = [...components, ...Object.entries(IN_FILES)].map(([file, { title, schema }]) => [
    file,
    { title, ...z.toJSONSchema(schema, { io: 'input', override: ({ jsonSchema }) => tidy(jsonSchema) }) },
  ])
  return Object.fromEntries(entries)
}
