import { type Child, element } from '../element.ts'
import type { Failure } from '../visit.ts'

interface NoticeText {
  title: string
  text: string
}

function textOf(failure: Failure, agentUrl: string): NoticeText {
  const texts: Record<Failure, NoticeText> = {
    server_unreachable: {
      title: 'The server does not answer',
      text: `Nothing answers at ${location.host}. Is npm start still running?`,
    },
    agent_blocked: {
      title: 'The agent did not load',
      text: `${agentUrl}/agent.js could not be imported. A content blocker may have stopped it, or its host is down. For visitors who block it there is no request ID: treat them as unverified.`,
    },
    agent_refused: {
      title: 'The agent could not start',
      text: 'It answered “not_initialized” or nothing at all. Your backend gets no request ID then: treat the visit as unverified.',
    },
    ingest_refused: {
      title: 'The server refused the snapshot',
      text: 'The public key is unknown, which happens when it was rotated, or this page’s host is outside the key’s domain. The demo takes its keys from demo.json in the data directory, at the start.',
    },
    not_scored: {
      title: 'No verdict came',
      text: 'The request ID was issued, but no row appeared within 20 seconds: the snapshot was blocked on its way, or this address is over the ingest limit. A visit without a row is unverified, never clean.',
    },
    api_key_rejected: {
      title: 'The History API rejected the demo’s key (401)',
      text: 'It was rotated, and the demo’s backend still has the old one. It takes its keys from demo.json in the data directory, at the start.',
    },
    history_unavailable: {
      title: 'The History API does not answer',
      text: 'The demo’s backend is up, but it could not read the verdict. The server’s log says why.',
    },
  }
  return texts[failure]
}

/** What went wrong, in words a newcomer can act on. */
export function noticeView(failure: Failure | undefined, agentUrl = '', retry: () => void): Child {
  if (!failure) return null
  const { title, text } = textOf(failure, agentUrl)
  const button = element('button', { type: 'button' }, 'Try again')
  button.addEventListener('click', retry)
  return element(
    'div',
    { class: 'notice', role: 'alert' },
    element('div', {}, element('strong', {}, title), element('p', {}, text)),
    button,
  )
}
