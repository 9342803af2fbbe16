import { type AlertMessage, textLines, titleOf } from './alert-message.ts'

/** Of a plain text in a header and in a section: https://docs.slack.dev/reference/block-kit/blocks */
const HEADER_MAX = 150
const SECTION_MAX = 3_000

/**
 * The body for an incoming webhook. What happened is plain text, which Slack neither formats nor searches for mentions;
 * only the link is markup. An incoming webhook takes no ID, so the first block has it.
 */
export function slackMessage(message: AlertMessage): object {
  const title = titleOf(message)
  return {
    text: escapeSlack(title),
    blocks: [
      {
        type: 'header',
        block_id: message.id,
        text: { type: 'plain_text', text: title.slice(0, HEADER_MAX), emoji: false },
      },
      {
        type: 'section',
        text: { type: 'plain_text', text: textLines(message).join('\n').slice(0, SECTION_MAX), emoji: false },
      },
      {
        type: 'section',
        text: { type: 'mrkdwn', text: `<${escapeSlack(message.url)}|Open in Inkling>` },
      },
    ],
  }
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
