import type { AlertSource } from '@inkling/contract/account'

/** What a receiver is told, before it has the form of its kind. */
export interface AlertMessage {
  /** The same in every attempt, so that a receiver can tell a repeated one. */
  id: string
  /** The same in both messages of an alert. */
  alertId: string
  type: 'alert.opened' | 'alert.summary' | 'alert.test'
  domain: string
  rule: { id: number; name: string; source: AlertSource }
  /** Events of the alert so far. */
  events: number
  firstAtMs: number
  lastAtMs: number
  /** Some of the events, oldest first. Their text may contain what visitors chose. */
  lines: readonly AlertLine[]
  /** Events that this message is about and that `lines` has not. */
  more: number
  /** The page of the alerts. */
  url: string
}

export interface AlertLine {
  atMs: number
  text: string
  url: string
}

const TITLE_MAX = 120
const LINE_MAX = 300

/** The title of a message: one line, for subjects and headings. */
export function titleOf({ type, domain, rule, events }: AlertMessage): string {
  if (type === 'alert.test') return oneLine(`Test of Inkling's alerts for ${domain}`, TITLE_MAX)
  const counted = events === 1 ? '' : type === 'alert.opened' ? ` (${events})` : ` (${events} in all)`
  return oneLine(`${rule.name}: ${domain}${counted}`, TITLE_MAX)
}

/** The events as lines of text without addresses. */
export function textLines({ type, lines, more }: AlertMessage): string[] {
  if (type === 'alert.test') return ['This is a test. Alerts arrive here.']
  const texts = lines.map(({ text }) => oneLine(text, LINE_MAX))
  return more > 0 ? [...texts, `and ${more} more`] : texts
}

/**
 * Text on one line: no line breaks and control characters, which could begin a header or a line of their own, and no
 * marks that change the direction of writing, which could show a text as another one.
 */
export function oneLine(text: string, max: number): string {
  const plain = text
    .replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .toWellFormed()
    .trim()
  return plain.length > max ? `${plain.slice(0, max - 1).toWellFormed()}…` : plain
}
