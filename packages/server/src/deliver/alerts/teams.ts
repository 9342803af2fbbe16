import { type AlertMessage, textLines, titleOf } from './alert-message.ts'

/**
 * The body for a workflow that posts cards (https://adaptivecards.io/explorer). All text is in runs, which know no
 * Markdown, so nothing that a visitor chose becomes a link or a mention.
 */
export const teamsMessage = (message: AlertMessage): object => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [
          {
            type: 'RichTextBlock',
            id: message.id,
            inlines: [{ type: 'TextRun', text: titleOf(message), weight: 'Bolder', size: 'Medium' }],
          },
          ...textLines(message).map((text) => ({
            type: 'RichTextBlock',
            inlines: [{ type: 'TextRun', text }],
          })),
        ],
        actions: [{ type: 'Action.OpenUrl', title: 'Open in Inkling', url: message.url }],
      },
    },
  ],
})
