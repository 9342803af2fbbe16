import { bandOf, type HistoryRow, NIL_UUID } from '@inkling/contract'
import { embedView, webhookView } from './backend-views.ts'
import { type DemoSession, NO_VISITS, readDeviceVisits, readSession } from './demo-api.ts'
import { type Child, paint, required } from './element.ts'
import { identifyVisit, NEW_VISIT, type Visit } from './identify-visit.ts'
import { noticeView } from './notice.ts'
import { historyRowView, identifiersView, learnedView } from './row-views.ts'
import { type Agent, loadAgent } from './run-agent.ts'
import { signalsView } from './signals.ts'
import { scoreView, timelineView } from './verdict.ts'
import { comparedVisits, loadVisits, saveVisits, visitsView, withVisit } from './visits.ts'

const account = required('#account') as HTMLInputElement
let visits = loadVisits()
let latest = NEW_VISIT
let deviceVisits = NO_VISITS
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
  // While the next visit runs, the last one stays visible, so that the page does not jump.
  for (const part of document.querySelectorAll<HTMLElement>('[data-of-visit]')) {
    part.classList.toggle('stale', !verdict)
    if (failure) part.hidden = true
  }
  if (!verdict) return
  const { row, explanation, webhook } = verdict
  const ready = session?.webhookReady ?? false
  paintPart('signals', { row, explanation, titles }, signalsView)
  paintPart('identifiers', row, identifiersView)
  paintPart(
    'visits',
    {
      visits: comparedVisits(visits, deviceVisits.visits),
      elsewhere: deviceVisits.elsewhere,
      requestId: row.request_id,
    },
    visitsView,
  )
  if (settled) void showDevice(row)
  paintPart('learned', row, learnedView)
  paintPart('webhook', { webhook, settled, ready }, webhookView)
  paintPart('history', row, historyRowView)
}

function paintPart<Shown>(id: string, shown: Shown, view: (shown: Shown) => Child): void {
  required(`#${id}`).hidden = false
  paint(required(`#${id} .part-body`), shown, () => view(shown))
}

/** Loads the visits of this device in other tabs, once per visit. */
async function showDevice(row: HistoryRow): Promise<void> {
  if (row.request_id === deviceReadFor || row.device_id === NIL_UUID) return
  deviceReadFor = row.request_id
  deviceVisits = await readDeviceVisits(row.device_id)
  show(latest)
}

function announcement({ phase, verdict }: Visit): string {
  if (phase === 'failed') return ''
  if (!verdict) return 'Identifying this visit'
  const { score } = verdict.row
  const band = bandOf(score)
  return band === 'rate_limited' ? 'Rate limited' : `Risk score ${score} of 100, ${band}`
}

/** Runs an identification. After a failure, whatever is still missing is loaded first. */
async function start(): Promise<void> {
  current.abort()
  current = new AbortController()
  const { signal } = current
  show(NEW_VISIT)
  const loaded = await readSession()
  if (signal.aborted) return
  if (!loaded) return show({ ...NEW_VISIT, phase: 'failed', failure: 'server_unreachable', settled: true })
  session = loaded
  agent ??= await loadAgent(session.agentUrl, session.publicKey)
  if (signal.aborted) return
  if (!agent) return show({ ...NEW_VISIT, phase: 'failed', failure: 'agent_blocked', settled: true })
  await identifyVisit({ agent, account: account.value.trim(), signal, show })
}

/** The notice with its button disappears, so the focus moves to the button that does the same. */
function retry(): void {
  required('#again button').focus()
  void start()
}

required('#again').addEventListener('submit', (event) => {
  event.preventDefault()
  void start()
})
void start()
