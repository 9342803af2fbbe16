import { expect, test } from 'vitest'
import { type AlertMessage, oneLine, textLines, titleOf } from './alert-message.ts'
import { alertMail } from './email.ts'
import { pagerDutyEvent } from './pagerduty.ts'
import { slackMessage } from './slack.ts'
import { teamsMessage } from './teams.ts'

const HOSTILE =
  'ann\r\nBcc: all@shop.example\u202e <!channel> <https://evil.example|Sign in> [x](https://evil.example) **b** &'

const message = (given: Partial<AlertMessage> = {}): AlertMessage => ({
  id: '5a0c1e1e-8f1b-4e62-9d9c-6d1f0a3b7c55.1',
  alertId: '5a0c1e1e-8f1b-4e62-9d9c-6d1f0a3b7c55',
  type: 'alert.opened',
  domain: 'shop.example',
  rule: { id: 1, name: `Denied ${HOSTILE}`, source: 'decision' },
  events: 1,
  firstAtMs: 0,
  lastAtMs: 0,
  lines: [{ atMs: 0, text: `deny at signup (account ${HOSTILE})`, url: 'https://inkling.example/x' }],
  more: 0,
  url: 'https://inkling.example/dashboard/d/shop.example/alerts',
  ...given,
})

test('no text that a visitor chose begins a line, a header or a recipient of a mail', () => {
  const mail = alertMail(message(), { from: 'Inkling <alerts@inkling.example>', to: ['ann@shop.example'] })
  expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
  expect(mail.text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
  expect(mail.text.match(/https?:\/\/\S+/g)?.filter((url) => url.includes('evil'))).toEqual([])
  expect(mail.to).toEqual([{ name: '', address: 'ann@shop.example' }])
  expect(mail.messageId).toBe(`<${message().id}@inkling.example>`)
})

test('a summary answers the first mail of its alert', () => {
  const summary = message({ type: 'alert.summary', id: `${message().alertId}.2`, events: 9 })
  const mail = alertMail(summary, { from: 'alerts@inkling.example', to: [] })
  expect(mail.inReplyTo).toBe(`<${message().alertId}.1@inkling.example>`)
  expect(titleOf({ ...summary, rule: { ...summary.rule, name: 'Denied' } })).toBe(
    'Denied: shop.example (9 in all)',
  )
})

test('Slack neither mentions anybody nor links anything that a visitor wrote', () => {
  const { text, blocks } = slackMessage(message()) as {
    text: string
    blocks: { text: { type: string; text: string } }[]
  }
  expect(text).not.toMatch(/[<>]/)
  expect(text).toContain('&lt;!channel&gt;')
  const markup = blocks.filter((block) => block.text.type !== 'plain_text')
  expect(markup.map((block) => block.text.text)).toEqual([`<${message().url}|Open in Inkling>`])
})

test('Teams gets texts as runs, which have no Markdown', () => {
  const card = JSON.stringify(teamsMessage(message()))
  expect(card).not.toContain('"TextBlock"')
  expect(card).toContain('"type":"TextRun"')
  expect(card).not.toContain('\\r')
})

test('both messages of an alert are one incident of PagerDuty', () => {
  const key = 'k'.repeat(32)
  const summary = message({ type: 'alert.summary', id: `${message().alertId}.2` })
  expect(pagerDutyEvent(message(), key)).toMatchObject({ dedup_key: message().alertId })
  expect(pagerDutyEvent(summary, key)).toMatchObject({ dedup_key: message().alertId })
})

test('a line is cut without breaking a character, and says how many events it leaves out', () => {
  expect(oneLine('a'.repeat(9), 5)).toBe('aaaa…')
  expect(oneLine(`${'a'.repeat(3)}\u{1f600}b`, 5).isWellFormed()).toBe(true)
  expect(textLines(message({ lines: [], more: 12 }))).toEqual(['and 12 more'])
})
