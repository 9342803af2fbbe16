import { z } from 'zod'
import { DeclaredAgent } from './agents.ts'
import { StoredDecision } from './decision-changed.ts'
import { FIELDS, Uuid } from './fields.ts'
import { Label } from './labels.ts'
import { LIST_NAMES } from './lists.ts'
import { VisitVelocity } from './velocity.ts'

/** One entry of a score with its evidence. */
export const ExplainedEntry = z
  .object({
    name: z.string().describe('Signal name'),
    title: z.string().describe('Name of the signal for people'),
    description: z.string().describe('As in `score_details`'),
    weight: z.int().describe('Points of the signal under the rules that scored the visit'),
    value: z.int().describe('Points that it added: 0 for information and when suppressed'),
    suppressed_by: z.string().optional().describe('The signal that suppressed it, or `declared_agent`'),
    evidence: z.record(z.string(), z.unknown()).describe('The facts it rests on'),
  })
  .describe('One entry of a score with its evidence')
export type ExplainedEntry = z.infer<typeof ExplainedEntry>

/** One thing that the server can see of a connection, or why it did not. */
export const NetworkObservation = z
  .object({
    available: z.boolean().describe('Whether the server saw it'),
    source: z.string().optional().describe('Where it was seen: `kernel`, `tls`, `http`, `turn`, `websocket`'),
    reason: z.string().optional().describe('Why the server did not see it, such as `behind_proxy`'),
    value: z.unknown().optional().describe('What was seen'),
  })
  .describe('One thing that the server can see of a connection, or why it did not')

/** How the visit was linked to its device. */
export const IdentityDecision = z
  .object({
    outcome: z
      .string()
      .describe(
        '`cookie`, `device_key`, `linked`, `new`, `separated` or `cookie_carried_over`; more may be added',
      ),
    confidence: z.number().describe('Probability that the decision is right, 0 to 1'),
    agreed: z.array(z.string()).describe('Components that are the same as on the device'),
    changed: z.array(z.string()).describe('Components that differ'),
    absent: z.array(z.string()).describe('Components that are missing or noisy'),
    clones: z.number().describe('Known devices that look the same'),
    devices: z.number().describe('Known devices with the same system and browser'),
    candidates: z.number().describe('Known devices that were compared'),
    hardware_flips: z.array(z.string()).describe('Hardware components that differ from this device'),
    merged: Uuid.optional().describe('A device ID that turned out to be this device, too'),
    separated_from: Uuid.optional().describe('The device that earlier visits of this cookie were taken for'),
    key_history: z
      .string()
      .optional()
      .describe(
        'What the key of the browser says: `first`, `same`, `on_other_cookie`, `replaced`, `missing`, `another_machine` or `copied`; more may be added; missing where there is no key',
      ),
  })
  .describe('How the visit was linked to its device')

/** One source of evidence, and how much of it is known of a visit. */
const EvidenceSource = z
  .object({
    name: z
      .string()
      .describe(
        '`ticket`, `device_key`, `tls`, `readings`, `network_check`, `first_packet`, `headers`, `round_trips` or `late_readings`; more may be added',
      ),
    weight: z.number().describe('Its share of the whole, out of 100'),
    known: z.number().min(0).max(1).describe('How much of it is known and proven, 0 to 1'),
  })
  .describe('One source of evidence, and how much of it is known of a visit')

/** Below this much evidence our own pages add to a trusted score that little is known. */
export const LITTLE_EVIDENCE = 0.3

/** The assessment of the request for the page, which joined the identification that the page made. */
const EdgeJoin = z
  .object({
    state: z.string().describe('`joined`, or `refused` with a reason'),
    reason: z
      .string()
      .optional()
      .describe(
        'Why the page’s key was refused: `unreadable`, `foreign`, `expired`, `other_client` or `replayed`; more may be added',
      ),
    assessment_id: Uuid.optional().describe('The assessment'),
    assessed_at: z.string().optional().describe('RFC 3339, UTC'),
    same_address: z
      .boolean()
      .optional()
      .describe(
        'Whether the page was asked for and ran at one address. Only then does the edge’s evidence count',
      ),
    score: z.int().optional().describe('Score of the request alone'),
    action: z.string().nullable().optional().describe('What your rules for agents said'),
    rule: z.int().nullable().optional().describe('Which of them, counted from 1'),
    agent: DeclaredAgent.optional(),
    network: z
      .record(z.string(), NetworkObservation)
      .optional()
      .describe('TLS, HTTP/2 and headers as the edge saw them'),
  })
  .describe('What the edge saw of the request for the page')

const MatchedListEntry = z
  .object({
    list: z.enum(LIST_NAMES).describe('Which list'),
    kind: z.string().describe('What it is about, such as `device` or `cidr`; more may be added'),
    value: z.string().describe('Its value, in normal form'),
    reason: z.string().describe('Why it is there, as its author wrote it'),
  })
  .describe('An entry of your lists, as it was when the visit matched it')

export const EXPLAINED_LABELS_MAX = 50

/** Why an identification has its score, with the evidence that `score_details` lacks. */
export const Explanation = z
  .object({
    request_id: FIELDS.requestId,
    score: FIELDS.score,
    entries: z.array(ExplainedEntry).describe('The entries of the score, suppressed ones included'),
    clear: z.array(z.string()).describe('Signals that were checked and did not hit'),
    unknown: z.array(z.string()).describe('Signals that could not be checked, for missing facts'),
    evidence: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'How much of what could be known of the visit was known and proven, 0 to 1. It changes no score: a visit of which little is known has few points as well. Missing in older rows and without JavaScript',
      ),
    evidence_sources: z.array(EvidenceSource).optional().describe('What that number is made of'),
    account: z
      .string()
      .optional()
      .describe(
        'Whether your backend signed its `user_hid`: `signed`, `claimed` without a signature, `invalid`, or `dropped` where only signed ones are accepted; missing without a user key',
      ),
    agent: DeclaredAgent.optional(),
    edge: EdgeJoin.optional(),
    lists: z
      .array(MatchedListEntry)
      .optional()
      .describe('The entries of your lists that it matched; missing without any. They change no score'),
    labels: z
      .array(Label.omit({ author: true }))
      .max(EXPLAINED_LABELS_MAX)
      .optional()
      .describe(
        'The newest labels about what it has, such as its device or account, as they are now; missing without any. Only the Private API Key gets them',
      ),
    decisions: z
      .array(StoredDecision)
      .optional()
      .describe(
        'What your backend was told about it, newest first, one for each purpose; missing without any. Only the Private API Key gets them',
      ),
    velocity: VisitVelocity.optional(),
    network: z
      .record(z.string(), NetworkObservation)
      .optional()
      .describe('What the server saw of the connection; missing when its snapshot is not kept'),
    unavailable: z
      .array(z.enum(['network']))
      .optional()
      .describe('Parts that are kept, but that the cold storage cannot give now; missing otherwise'),
    identity: z
      .object({
        device_id: FIELDS.deviceId,
        visitor_id: FIELDS.visitorId,
        components: z.array(z.string()).describe('Readings that the device ID was found by'),
        decision: IdentityDecision.optional(),
      })
      .describe('Its identifiers, and how they were found'),
  })
  .describe('Why an identification has its score')
export type Explanation = z.infer<typeof Explanation>
