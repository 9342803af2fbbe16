import { freePort } from '../src/lib/free-port.ts'
import { runningServer, type TestServer, type TestServerOptions } from './running-server.ts'

export interface Scrape {
  text: string
  /** Declared names; those of histograms without suffixes. */
  names: string[]
  /** The value of a series by its name and labels as in the text; undefined if it does not exist. */
  value(series: string): number | undefined
}

export interface MeasuredServer extends TestServer {
  metricsUrl: string
  scrape(): Promise<Scrape>
}

/** A whole server that serves its metrics. */
export async function measuredServer({
  settings = {},
  ...options
}: Omit<TestServerOptions, 'settings'> & {
  settings?: Record<string, string>
} = {}): Promise<MeasuredServer> {
  const metricsPort = await freePort('127.0.0.1')
  const server = await runningServer({
    ...options,
    settings: { METRICS_PORT: String(metricsPort), ...settings },
  })
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  return {
    ...server,
    metricsUrl,
    scrape: async () => readScrape(await (await fetch(metricsUrl)).text()),
  }
}

export function readScrape(text: string): Scrape {
  const lines = text.split('\n')
  const series = new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): [string, number] => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )
  return {
    text,
    names: lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []),
    value: (name) => series.get(name),
  }
}
