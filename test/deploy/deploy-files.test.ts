import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settingDocs } from '../../packages/server/src/composition/config.ts'
import { onPath } from '../../scripts/install-step.ts'

const ROOT = join(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const CHART = join(DEPLOY, 'helm/inkling')
const textOf = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8')

const SETTINGS = settingDocs().map(({ name }) => name)
/** Variables of Node and of the PostgreSQL image. */
const OTHERS = ['NODE_ENV', 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD']

describe('files set only existing settings', () => {
  test.each([
    ['Dockerfile', /(?<=^ENV .*)\b([A-Z_]+)=/gm],
    ['compose.yaml', /^ +([A-Z_]+): /gm],
    ['helm/inkling/templates/deployment.yaml', /- name: ([A-Z_]+)$/gm],
    ['systemd/inkling.service', /^Environment=([A-Z_]+)=/gm],
  ])('%s', (file, pattern) => {
    const named = [...textOf(file).matchAll(pattern)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((name) => !SETTINGS.includes(name) && !OTHERS.includes(name))).toEqual([])
  })
})

describe('Dockerfile', () => {
  test('copies the manifest of every package, which npm ci needs', () => {
    const copied = [...textOf('Dockerfile').matchAll(/^COPY (packages\/\w+\/package\.json) /gm)]
    const packages = readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/package.json`)
    expect(copied.map(([, path]) => path)).toEqual(packages)
  })

  test.each([
    [{}, { by: 'http', host: '127.0.0.1', port: '8080' }],
    [
      { HOST: '', PORT: '', TLS_CERT: '' },
      { by: 'http', host: '127.0.0.1', port: '8080' },
    ],
    [
      { HOST: '0.0.0.0', PORT: '443', TLS_CERT: '/tls/c.pem' },
      { by: 'https', host: '127.0.0.1', port: '443' },
    ],
    [
      { HOST: '10.0.0.9', PORT: '9000' },
      { by: 'http', host: '10.0.0.9', port: '9000' },
    ],
  ])('its check asks where the server listens: %j', (env, asked) => {
    // Tells what would be asked, as 8080 may be in use on this machine.
    const tell = `
      import http from 'node:http'
      import https from 'node:https'
      import { syncBuiltinESMExports } from 'node:module'
      for (const [by, module] of Object.entries({ http, https }))
        module.request = ({ host, port }) => {
          console.log(JSON.stringify({ by, host, port }))
          process.exit()
        }
      syncBuiltinESMExports()`
    const hook = `data:text/javascript,${encodeURIComponent(tell)}`
    const said = execFileSync(process.execPath, ['--import', hook, join(DEPLOY, 'healthcheck.js')], { env })
    expect(JSON.parse(said.toString())).toEqual(asked)
  })

  test('runs on the tested Node version, and not as root', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(textOf('Dockerfile')).toContain(`node:${Number.parseInt(devDependencies.node, 10)}-`)
    expect(textOf('Dockerfile')).toMatch(/^USER 1000:1000$/m)
  })
})

/** A migration of a large database. */
const START_SECONDS = 15 * 60

test('a server that migrates the database has the time to do it', () => {
  const deployment = textOf('helm/inkling/templates/deployment.yaml')
  const [, period, failures] =
    /startupProbe:[\s\S]+?periodSeconds: (\d+)[\s\S]+?failureThreshold: (\d+)/.exec(deployment) ?? []
  expect(Number(period) * Number(failures)).toBeGreaterThanOrEqual(START_SECONDS)
  const [, minutes] = /--start-period=(\d+)m /.exec(textOf('Dockerfile')) ?? []
  expect(Number(minutes) * 60).toBeGreaterThanOrEqual(START_SECONDS)
})

describe('Helm chart', () => {
  const templates = readdirSync(join(CHART, 'templates'))
  const values = valuePaths(readFileSync(join(CHART, 'values.yaml'), 'utf8'))

  test.each(templates)('%s reads only existing values and closes its blocks', (name) => {
    const text = readFileSync(join(CHART, 'templates', name), 'utf8')
    const read = [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path)
    expect(read.filter((path) => !values.includes(path))).toEqual([])
    const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
    expect(count(/\{\{-? end\b/g)).toBe(count(/\{\{-? (?:if|range|with|define)\b/g))
  })

  test('its values are all read', () => {
    const text = templates.map((name) => readFileSync(join(CHART, 'templates', name), 'utf8')).join('')
    const leaves = values.filter((path) => !values.some((other) => other.startsWith(`${path}.`)))
    const unread = leaves.filter(
      (path) => !path.split('.').some((_, index, parts) => reads(text, parts.slice(0, index + 1).join('.'))),
    )
    expect(unread).toEqual([])
  })

  test('takes settings from a Secret', () => {
    const text = readFileSync(join(CHART, 'templates/deployment.yaml'), 'utf8')
    expect(text).toMatch(/envFrom:\s+- secretRef:\s+name: \{\{ \. \}\}/)
  })

  test('names the version of the release', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(readFileSync(join(CHART, 'Chart.yaml'), 'utf8')).toContain(`appVersion: "${version}"`)
  })
})

const reads = (text: string, path: string): boolean => new RegExp(`\\.Values\\.${path}\\b(?!\\.)`).test(text)

/** Dotted paths of the keys of a YAML file with two spaces of indentation. */
function valuePaths(yaml: string): string[] {
  const parents: string[] = []
  return [...yaml.matchAll(/^( *)([A-Za-z]\w*):/gm)].map(([, indent = '', key = '']) => {
    parents.length = indent.length / 2
    parents.push(key)
    return parents.join('.')
  })
}

describe.skipIf(!onPath('systemd-analyze'))('systemd unit', () => {
  const unit = join(DEPLOY, 'systemd/inkling.service')

  test('is valid and has no unknown directive', () => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
    // The program is not installed on this machine.
    const complaints = stderr.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))
    expect({ complaints, status: complaints.length === 0 ? 0 : status }).toEqual({
      complaints: [],
      status: 0,
    })
  })

  test('restricts the service to an exposure below 2 of 10', () => {
    const said = execFileSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' })
    const [, exposure] = /exposure level for inkling\.service: ([\d.]+)/.exec(said) ?? []
    expect(Number(exposure)).toBeLessThan(2)
  })
})
