import { z } from 'zod'
import { AGENT_ACTIONS, DeclaredAgent } from './agents.ts'
import { ExplainedEntry } from './explanation.ts'
import { FIELDS, Uuid } from './fields.ts'

const HEADERS_MAX = 100
const HEADER_LENGTH_MAX = 8_192
/** A line break would be another header. */
const NO_BREAK = /^[^\r\n\0]*$/

const header = z
  .tuple([
    z.string().min(1).max(256).regex(NO_BREAK),
    z.string().max(HEADER_LENGTH_MAX).regex(NO_BREAK, 'without line breaks'),
  ])
  .describe('Name and value')

/** A request that reached the customer's edge, as the edge saw it. */
export const AssessRequest = z
  .object({
    method: z
      .string()
      .regex(/^[A-Za-z]{1,20}$/)
      .describe('Method of the request'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(8_192)
      .describe('URL of the request, as the client knows it'),
    address: z
      .string()
      .max(64)
      .describe('Address of the client, IPv4 or IPv6. Never one that the client can write'),
    http_version: z
      .string()
      .regex(/^\d(?:\.\d)?$/)
      .optional()
      .describe('Such as `1.1` or `2`. Without it, order and case of the headers are not judged'),
    headers: z
      .array(header)
      .max(HEADERS_MAX)
      .describe(
        'All headers, in the order and case in which they came. `Cookie` and `Authorization` are not needed',
      ),
    tls: z
      .object({
        ja4: z.string().max(64).describe('JA4 of the ClientHello'),
        version: z.string().max(16).optional().describe('Such as `TLSv1.3`'),
        alpn: z.string().max(16).optional().describe('Negotiated protocol, such as `h2`'),
      })
      .optional()
      .describe('What your edge saw of the TLS handshake'),
    http2: z
      .object({
        fingerprint: z.string().max(512).describe('SETTINGS, WINDOW_UPDATE, PRIORITY and pseudo-headers'),
      })
      .optional()
      .describe('What your edge saw of the HTTP/2 connection'),
    request_id: Uuid.optional().describe(
      'The request ID that the page sent with this request. Joins the two: the answer then compares them',
    ),
  })
  .describe('A request that reached your edge, as the edge saw it')
export type AssessRequest = z.infer<typeof AssessRequest>

/** How a request compares with the identification that its page made. */
export const AssessedPage = z
  .object({
    request_id: FIELDS.requestId,
    score: FIELDS.score,
    device_id: FIELDS.deviceId,
    visitor_id: FIELDS.visitorId,
    age_seconds: z.int().describe('How long ago the page was identified'),
    same_address: z.boolean().describe('Whether both came from one address. Phones change theirs'),
    same_user_agent: z
      .boolean()
      .nullable()
      .describe('Whether both have the same `User-Agent`; null where snapshots are not kept'),
  })
  .describe('The identification of the page that sent the request')
export type AssessedPage = z.infer<typeof AssessedPage>

export const Assessment = z
  .object({
    assessment_id: Uuid.describe('Names this answer, for your log'),
    join_key: z
      .string()
      .describe(
        'For the page, as the content of `<meta name="inkling-join">`: joins this assessment to the identification that the page makes within ten minutes. Encrypted',
      ),
    agent: DeclaredAgent.nullable().describe('The program that the request declares; null for all others'),
    action: z
      .enum(AGENT_ACTIONS)
      .nullable()
      .describe(
        'What your rules for agents say; null when none of them applies, so that your rule for the score does',
      ),
    rule: z.int().nullable().describe('Which of your rules said so, counted from 1'),
    retry_after_seconds: z.int().nullable().describe('For `limit`: when the agent may send the next request'),
    score: FIELDS.score,
    entries: z.array(ExplainedEntry).describe('The entries of the score'),
    clear: z.array(z.string()).describe('Signals that were checked and did not hit'),
    unknown: z.array(z.string()).describe('Signals that a request alone does not show'),
    client: z
      .object({
        os: FIELDS.os,
        browser: FIELDS.browser,
        contradictions: z
          .array(
            z.object({
              name: z.string().describe('Name of the comparison'),
              evidence: z.record(z.string(), z.unknown()).describe('Both sides'),
            }),
          )
          .describe('Where the request contradicts the client that it claims to be from'),
        clear: z.array(z.string()).describe('Comparisons that found none'),
        unknown: z.array(z.string()).describe('Comparisons without the facts for them'),
      })
      .describe('The client that the request claims to be from, and whether it fits'),
    address: z
      .object({
        country: FIELDS.country,
        asn: z.int().nullable().describe('Network of the address'),
        organization: z.string().describe('Who announces it; empty when unknown'),
        connection_type: FIELDS.connectionType,
      })
      .describe('What is known of the address'),
    page: AssessedPage.nullable().describe('The identification that `request_id` names; null without one'),
  })
  .describe('What a request alone shows')
export type Assessment = z.infer<typeof Assessment>
