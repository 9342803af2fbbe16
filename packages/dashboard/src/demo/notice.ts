import { type Child, element } from './element.ts'
import type { Failure } from './identify-visit.ts'

interface NoticeText {
  title: string
  text: string
}

function textOf(failure: Failure, agentUrl: string): NoticeText {
  const texts: Record<Failure, NoticeText> = {
    server_unreachable: {
      title: 'The server does not respond',
      text: `There is no response from ${location.host}. Is npm start still running?`,
    },
    agent_blocked: {
      title: 'The agent did not load',
      text: `${agentUrl}/agent.js could not be imported. A content blocker may have stopped it, or its host may be down. Visitors who block it have no request ID: treat them as unverified.`,
    },
    agent_refused: {
      title: 'The agent could not start',
      text: 'It reported “not_initialized”, or did not respond at all. Your backend then gets no request ID: treat the visit as unverified.',
    },
    ingest_refused: {
      title: 'The server rejected the snapshot',
      text: 'The public key is unknown, for example because it was rotated, or it belongs to another domain than this page. The demo reads its keys from demo.json in the data directory when the server starts.',
    },
    not_scored: {
      title: 'No verdict',
      text: 'There is a request ID, but no row within 20 seconds: the snapshot was blocked on its way, or this address is over the ingest rate limit. Treat a visit without a row as unverified, never as trusted.',
    },
    api_key_rejected: {
      title: 'The History API rejected the demo’s key (401)',
      text: 'The key was rotated, and the demo’s backend still has the old one. It reads its keys from demo.json in the data directory when the server starts.',
    },
    history_unavailable: {
      title: 'The History API does not respond',
      text: 'The demo’s backend is running, but could not read the verdict. See the server’s log.',
    },
  }
  return texts[failure]
}

/** What went wrong, and what to do about it. */
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
