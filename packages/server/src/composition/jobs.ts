import { readHealthChecks } from '../account/health.ts'
import { createKeyUses, type KeyUses } from '../auth/key-uses.ts'
import { createRuleHits, type RuleHits } from '../decide/rule-hits.ts'
import type { AlertSender } from '../deliver/alerts/alert-sender.ts'
import { sendDueAlerts } from '../deliver/alerts/send-due-alerts.ts'
import { recordDecisionAlerts } from '../jobs/alerts/decision-alerts.ts'
import { recordHealthAlerts } from '../jobs/alerts/health-alerts.ts'
import { recordVolumeAlerts } from '../jobs/alerts/volume-alerts.ts'
import { openReviewCases } from '../jobs/cases/open-review-cases.ts'
import {
  createDecisionBackTests,
  type DecisionBackTests,
} from '../jobs/decision-back-test/decision-back-tests.ts'
import { compareDecisions } from '../jobs/decision-changes/compare-decisions.ts'
import { runPatterns } from '../jobs/patterns/run-patterns.ts'
import { createWeightsBackTests, type WeightsBackTests } from '../jobs/rescore/weights-back-tests.ts'
import { countIdentifications } from '../jobs/rollups/count-identifications.ts'
import { DAY_MS } from '../lib/durations.ts'
import { repeat } from '../lib/repeat.ts'
import { createSlewedClock } from '../lib/slewed-clock.ts'
import { endAlerts } from '../store/alerts/record-events.ts'
import { sweepKeys } from '../store/erasure/remove-orphan-keys.ts'
import { scrubAll } from '../store/erasure/scrub.ts'
import { removeOlder } from '../store/identifications/remove-identifications.ts'
import { removeExpired } from '../store/remove-expired.ts'
import type { JobName } from '../store/store.ts'
import { removeOldVelocity } from '../store/velocity/remove-old-velocity.ts'
import { VELOCITY_MS } from '../store/velocity/windows.ts'
import { logFailure, type ServerContext } from './config.ts'
import type { Enrichment } from './pipeline.ts'
import type { ReportedState } from './running-state.ts'
import type { Storage } from './storage.ts'
import type { Telemetry } from './telemetry.ts'

/** Changes made by the command line take effect within a second. */
const DIRECTORY_REFRESH_MS = 250
/** Verdicts of other processes take effect within this time. */
const STICKY_REFRESH_MS = 1_000
/** How long visits may still be stored once a budget is used up. */
const STORED_REFRESH_MS = 1_000
/** How soon after late evidence a decision is compared with it. */
const DECISIONS_MS = 500
/** Until they are counted, the overview counts the newest identifications one by one. */
const ROLL_UPS_MS = 5_000
/** Well below the promised ten minutes, so that each run is short. */
const PATTERNS_MS = 60_000
/** How soon after an erasure its rest is gone. */
const SCRUBS_MS = 10_000
/** How soon after a decision its case is there; cases are for people as well. */
const CASES_MS = 2_000
/** How soon after a decision its alert is due, and how soon what is due is sent. */
const ALERTS_MS = 2_000
/** Volumes and health change slowly. */
const ALERT_CHECKS_MS = 60_000
/** Hits of rules are for people, who can wait for seconds. */
const RULE_HITS_MS = 5_000
/** They are shown to the hour. */
const KEY_USES_MS = 30_000
/** Once an hour is enough for a limit in days. */
const RETENTION_MS = 3_600_000
/** It reads a whole table. */
const OLD_COUNTS_MS = 6 * 3_600_000
/**
 * How long after the follow-up window a row may still change: late evidence is accepted for a minute, and the check of
 * a crawler's name takes seconds.
 */
const REFINED_WITHIN_MS = 75_000

/** Back-tests run when somebody asks for one. */
export function openBackTests(
  { now, opened, warn }: ServerContext,
  { storage: { store }, enrichment: { lookUpIp } }: { storage: Storage; enrichment: Enrichment },
): WeightsBackTests {
  const backTests = createWeightsBackTests({ store, lookUpIp, now, warn })
  opened.defer(() => backTests.close())
  return backTests
}

export function openDecisionBackTests(
  { now, opened, warn }: ServerContext,
  { store }: Pick<Storage, 'store'>,
): DecisionBackTests {
  const backTests = createDecisionBackTests({ store, now, warn })
  opened.defer(() => backTests.close())
  return backTests
}

/** Notes which named API keys are used, and writes that now and then and at the end. */
export function openKeyUses(context: ServerContext, { store }: Pick<Storage, 'store'>): KeyUses {
  const uses = createKeyUses({ store, now: context.now })
  const flushes = repeat(KEY_USES_MS, uses.flush, logFailure(context, 'uses of keys could not be written'))
  context.opened.defer(async () => {
    await flushes.stop()
    await uses.flush()
  })
  return uses
}

/** Counts hits of rules, and writes them now and then and at the end. */
export function openRuleHits(context: ServerContext, { store }: Pick<Storage, 'store'>): RuleHits {
  const hits = createRuleHits({ store, now: context.now, slewedNow: createSlewedClock(context.now) })
  const flushes = repeat(RULE_HITS_MS, hits.flush, logFailure(context, 'hits of rules could not be counted'))
  context.opened.defer(async () => {
    await flushes.stop()
    await hits.flush()
  })
  return hits
}

interface JobDeps {
  storage: Storage
  alerts: AlertSender
  telemetry: Telemetry
  enrichment: Pick<Enrichment, 'feeds'>
  running: ReportedState
}

/** Starts everything that runs at an interval. */
export function startJobs(context: ServerContext, deps: JobDeps): void {
  refreshMemory(context, deps)
  watchDecisions(context, deps)
  sendAlerts(context, deps)
  workOnStoredRows(context, deps)
}

/** What this process keeps in memory follows the database. */
function refreshMemory(context: ServerContext, { storage: { directory, sticky, budget } }: JobDeps): void {
  const { tasks } = context
  tasks.repeat(DIRECTORY_REFRESH_MS, directory.refresh, logFailure(context, 'keys could not be read'))
  tasks.repeat(STICKY_REFRESH_MS, sticky.refresh, logFailure(context, 'sticky verdicts could not be read'))
  tasks.repeat(STORED_REFRESH_MS, budget.refresh, logFailure(context, 'how much is stored could not be read'))
}

function watchDecisions(context: ServerContext, { storage: { store, directory } }: JobDeps): void {
  const { now, warn, tasks } = context
  async function compareAll(): Promise<void> {
    while (!tasks.stopped() && (await compareDecisions({ store, directory, now, warn })));
  }
  tasks.repeat(
    DECISIONS_MS,
    compareAll,
    logFailure(context, 'decisions could not be compared with late evidence'),
  )
}

/** Each message is claimed by one process, so every process sends. */
function sendAlerts(context: ServerContext, { storage: { store, box }, alerts }: JobDeps): void {
  const { now, warn, urls, tasks } = context
  const dashboardUrl = `${urls.management}/dashboard`
  const { stopped } = tasks
  tasks.repeat(
    ALERTS_MS,
    () => sendDueAlerts({ store, secrets: box, sender: alerts, dashboardUrl, now, warn, stopped }),
    logFailure(context, 'alerts could not be sent'),
  )
}

/** Roll-ups, patterns, cases, alerts and retention: each runs in one process of an installation at a time. */
function workOnStoredRows(
  { config, now, tasks, warn }: ServerContext,
  { storage: { store }, telemetry: { metrics }, enrichment: { feeds }, running }: JobDeps,
): void {
  const { stopped } = tasks
  const settledAfterMs = config.FOLLOW_UP_SECONDS * 1_000 + REFINED_WITHIN_MS
  const start = (job: JobName, pauseMs: number, run: () => Promise<unknown>, failure: string) =>
    tasks.repeat(
      pauseMs,
      () => store.alone(job, metrics.watchedJob(job, run)),
      (error) => warn(failure, error),
    )

  // If the clock is set a year ahead by mistake, a year of rows must not be removed.
  const slewedNow = createSlewedClock(now)
  async function removeOld(): Promise<void> {
    const removed = await removeOlder(store, slewedNow() - config.RETENTION_DAYS * DAY_MS, stopped)
    running.retentionRan({ endedAtMs: now(), removed })
    await sweepKeys(store, now(), stopped)
  }

  /** The counts need no longer than their largest window, and no longer than visits are kept. */
  async function removeOldCounts(): Promise<void> {
    const keptMs = config.RETENTION_DAYS > 0 ? config.RETENTION_DAYS * DAY_MS : VELOCITY_MS
    await removeOldVelocity(store, slewedNow() - Math.min(VELOCITY_MS, keptMs), stopped)
  }

  start('scrubs', SCRUBS_MS, () => scrubAll(store, stopped), 'erased rows could not be scrubbed')
  start(
    'rollups',
    ROLL_UPS_MS,
    () => countIdentifications(store, { settledAfterMs, now, stopped }),
    'identifications could not be counted',
  )
  start(
    'patterns',
    PATTERNS_MS,
    () => runPatterns(store, { settledAfterMs, now, stopped }),
    'patterns could not be graded',
  )
  start(
    'cases',
    CASES_MS,
    () => openReviewCases(store, { nowMs: now(), warn, stopped }),
    'cases could not be opened',
  )
  const readHealth = () =>
    readHealthChecks({ store: { ...store, reads: store.jobReads }, feeds, running, now })
  start(
    'alerts',
    ALERTS_MS,
    async () => {
      await recordDecisionAlerts(store, { nowMs: now(), warn, stopped })
      await endAlerts(store.writes, store.jobReads, now())
    },
    'alerts about decisions could not be recorded',
  )
  start(
    'alert_checks',
    ALERT_CHECKS_MS,
    async () => {
      await recordVolumeAlerts(store, now())
      await recordHealthAlerts(store, { nowMs: now(), readHealth })
    },
    'alerts about volume and health could not be recorded',
  )
  tasks.repeat(
    RETENTION_MS,
    () => removeExpired(store, now()),
    (error) => warn('expired invitations and assistants could not be removed', error),
  )
  start('velocity', OLD_COUNTS_MS, removeOldCounts, 'old counts could not be removed')
  if (config.RETENTION_DAYS > 0)
    start('retention', RETENTION_MS, removeOld, 'old identifications could not be removed')
}
