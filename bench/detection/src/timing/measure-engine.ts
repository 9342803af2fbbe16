import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeMachine } from '../../../src/lib/describe-machine.ts'
import { progress } from '../../../src/lib/progress.ts'
import { browserVersion } from '../report/versions.ts'
import { type Service, startService } from '../start-service.ts'
import { type Engine, loadOnce, type Mode } from './load-once.ts'
import { openTimingSite, type TimingSite } from './open-timing-site.ts'
import { bundlePeers } from './peers.ts'
import type { EngineTimings, SubjectTimings } from './timing-report.ts'
import { transferBytes } from './transfer-bytes.ts'

interface Subject extends SubjectTimings {
  /** Empty for a page without an agent. */
  agentUrl: string
}

const MODES: readonly Mode[] = ['time', 'block']

const subject = (name: string, span: string, agentUrl: string): Subject => ({
  name,
  span,
  agentUrl,
  gzipBytes: 0,
  time: [],
  block: [],
  failures: [],
})

/** The service of another commit, from a folder with all that it needs. */
async function startEarlier(folder: string): Promise<Service> {
  const file = pathToFileURL(resolve(folder, 'bench/detection/src/start-service.ts'))
  const { startService: start } = (await import(file.href)) as { startService: typeof startService }
  // Each takes a port of its own for the network check.
  delete process.env.TURN_PORT
  return start()
}

/**
 * Measures Inkling's agent, its peers and a page without an agent in one browser, in turn.
 * @param before folder of an earlier commit, whose agent is measured as well
 */
export async function measureEngine(engine: Engine, loads: number, before?: string): Promise<EngineTimings> {
  const [loadAverage = 0] = loadavg()
  const service = await startService()
  const earlier = before === undefined ? undefined : await startEarlier(before)
  const peers = await bundlePeers()
  const site = await openTimingSite(new Map(peers.map(({ path, script }) => [path, script])))
  const subjects = [
    subject('Inkling', 'request sent', service.agentUrl),
    ...(earlier ? [subject('Inkling before', 'request sent', earlier.agentUrl)] : []),
    ...peers.map(({ name, path }) => subject(name, 'result', `${site.origin}${path}`)),
    subject('no agent', '', ''),
  ]
  try {
    for (let round = 1; round <= loads; round++) {
      // One load of each in turn, so that other load on the machine affects all equally.
      for (const one of subjects) for (const mode of MODES) await measure(site, engine, mode, one)
      progress(`${engine}: ${round}/${loads}`)
    }
  } finally {
    site.close()
    await service.stop()
    await earlier?.stop()
  }
  return {
    engine,
    version: await browserVersion(engine),
    machine: describeMachine(),
    loadAverage: Math.round(loadAverage * 10) / 10,
    at: new Date().toISOString(),
    subjects: subjects.map(({ agentUrl: _, ...rest }) => rest),
  }
}

/** Adds the measurements of one load to the subject. */
async function measure(site: TimingSite, engine: Engine, mode: Mode, one: Subject): Promise<void> {
  const { agentUrl } = one
  if (mode === 'time' && agentUrl === '') return
  try {
    const { ms, urls } = await loadOnce(site, { engine, mode, agentUrl })
    one[mode].push(ms)
    // After two seconds late scripts have been fetched as well.
    if (mode === 'block') one.gzipBytes ||= await transferBytes(urls)
  } catch (error) {
    one.failures.push(String(error))
  }
}
