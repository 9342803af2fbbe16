import { type Html, html } from './html.ts'

/** The part of Markdown that descriptions use: paragraphs, lists, and code between backticks. */
export const prose = (text: string): Html =>
  html`${text
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? html`<ul>${block.split('\n').map((line) => html`<li>${inlineProse(line.replace(/^- /, ''))}</li>`)}</ul>`
        : html`<p>${inlineProse(block)}</p>`,
    )}`

/** One line of text with code between backticks. */
export const inlineProse = (text: string): Html =>
  html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
