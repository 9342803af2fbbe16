import type { HistoryRow } from '@inkling/contract'
import { bandOf } from '@inkling/sdk'
import { type DemoSession, readDeviceVisits, readSession } from './demo-api.ts'
import { type Child, required } from './element.ts'
import { identifyVisit } from './identify-visit.ts'
import { paint } from './paint.ts'
import { type Agent, loadAgent } from './run-agent.ts'
import { bandText } from './view/band-text.ts'
import { embedView } from './view/embed.ts'
import { historyRowView } from './view/history-row.ts'
import { identifiersView, NIL } from './view/identifiers.ts'
import { learnedView } from './view/learned.ts'
import { noticeView } from './view/notice.ts'
import { scoreView } from './view/score.ts'
import { signalsView } from './view/signals.ts'
import { timelineView } from './view/timeline.ts'
import { visitsView } from './view/visits.ts'
import { webhookView } from './view/webhook.ts'
import { NEW_VISIT, type Visit } from './visit.ts'
import { comparedVisits, loadVisits, saveVisits, type TabVisit, withVisit } from './visits-in-tab.ts'

const account = required('#account') as HTMLInputElement
let visits = loadVisits()
let latest = NEW_VISIT
let deviceVisits: TabVisit[] = []
let deviceReadFor: string | undefined
let session: DemoSession | undefined
let agent: Agent | undefined
let current = new AbortController()

function show(visit: Visit): void {
  latest = visit
  const { verdict, requestId } = visit
  if (verdict) {
    visits = withVisit(visits, verdict.row)
    saveVisits(visits)
  }
  const { failure, phase, timing, settled } = visit
  const agentUrl = session?.agentUrl
  paint(required('#notice'), { failure, agentUrl }, () => noticeView(failure, agentUrl, retry))
  paint(required('#score'), { phase, score: verdict?.row.score }, () => scoreView(phase, verdict?.row.score))
  paint(required('#timeline'), { requestId, timing, settled }, () => timelineView(visit))
  required('#announcement').textContent = announcement(visit)

  const titles = session?.signalTitles ?? {}
  required('.verdict').hidden = phase === 'failed' && !requestId
  if (session) paintPart('embed', { session, requestId }, embedView)
  // While the next visit runs, the last one stays in sight, so that the page does not jump.
  for (const part of document.querySelectorAll<HTMLElement>('[data-of-visit]')) {
    part.classList.toggle('stale', !verdict)
    if (failure) part.hidden = true
  }
  if (!verdict) return
  const { row, explanation, webhook } = verdict
  const ready = session?.webhookReady ?? false
  paintPart('signals', { row, explanation, titles }, signalsView)
  paintPart('identifiers', row, identifiersView)
  paintPart('visits', { visits: comparedVisits(visits, deviceVisits), requestId: row.request_id }, visitsView)
  if (settled) void showDevice(row)
  paintPart('learned', row, learnedView)
  paintPart('webhook', { webhook, settled, ready }, webhookView)
  paintPart('history', row, historyRowView)
}

function paintPart<Shown>(id: string, shown: Shown, view: (shown: Shown) => Child): void {
  required(`#${id}`).hidden = false
  paint(required(`#${id} .part-body`), shown, () => view(shown))
}

/** Other windows of the same device, asked for once per visit. */
async function showDevice(row: HistoryRow): Promise<void> {
  if (row.request_id === deviceReadFor || row.device_id === NIL) return
  deviceReadFor = row.request_id
  deviceVisits = await readDeviceVisits(row.device_id)
  show(latest)
}

function announcement({ phase, verdict }: Visit): string {
  if (phase === 'failed') return ''
  if (!verdict) return 'Identifying this visit'
  const { score } = verdict.row
  return score > 100 ? 'Rate limited' : `Risk score ${score} of 100, ${bandText(bandOf(score))}`
}

/** From nothing to an identification; whatever is missing after a failure is fetched again. */
async function start(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  show(NEW_VISIT)
  const answered = await readSession()
  if (signal.aborted) return
  if (!answered) return show({ ...NEW_VISIT, phase: 'failed', failure: 'server_unreachable', settled: true })
  session = answered
  agent ??= await loadAgent(session.agentUrl, session.publicKey)
  if (signal.aborted) return
  if (!agent) return show({ ...NEW_VISIT, phase: 'failed', failure: 'agent_blocked', settled: true })
  await identifyVisit({ agent, account: account.value.trim(), signal, show })
}

/** The notice goes away, so the focus goes to what does the same. */
function retry(): void {
  required('#again button').focus()
  void start()
}

required('#again').addEventListener('submit', (event) => {
  event.preventDefault()
  void start()
})
void start()
