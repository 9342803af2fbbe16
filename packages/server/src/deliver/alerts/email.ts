import { presentTime } from '@inkling/contract'
import { type AlertMessage, oneLine, titleOf } from './alert-message.ts'

export interface Mail {
  from: string
  /** As addresses, which are never parsed out of a text. */
  to: { name: string; address: string }[]
  subject: string
  text: string
  messageId: string
  inReplyTo?: string
  headers: Record<string, string>
}

const LINE_MAX = 300

/** Mail programs make links of addresses, and visitors may have written some. */
const withoutLinks = (text: string): string => text.replaceAll('://', ': //')

/** A plain text: no reader formats it. `Auto-Submitted` keeps out-of-office replies away (RFC 3834). */
export function alertMail(
  message: AlertMessage,
  { from, to }: { from: string; to: readonly string[] },
): Mail {
  const host = hostOf(from)
  return {
    from,
    to: to.map((address) => ({ name: '', address })),
    subject: `[Inkling] ${titleOf(message)}`,
    text: textOf(message),
    messageId: `<${message.id}@${host}>`,
    ...(message.type === 'alert.summary' && { inReplyTo: `<${message.alertId}.1@${host}>` }),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function textOf({ type, lines, more, url }: AlertMessage): string {
  if (type === 'alert.test') return `This is a test. Alerts arrive here.\n\n${url}\n`
  const entries = lines.map(
    (line) => `${presentTime(line.atMs)}  ${withoutLinks(oneLine(line.text, LINE_MAX))}\n  ${line.url}`,
  )
  return [...entries, ...(more > 0 ? [`and ${more} more`] : []), '', `All alerts: ${url}`, ''].join('\n')
}

/** Of `alerts@example.com` or `Inkling <alerts@example.com>`. */
const hostOf = (from: string): string => /@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
