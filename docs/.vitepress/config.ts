import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const DOCS = join(import.meta.dirname, '..')

const headingOf = (file: string): string =>
  /^# (.+)$/m.exec(readFileSync(join(DOCS, file), 'utf8'))?.[1] ?? file

const page = (file: string) => ({ text: headingOf(file), link: `/${file.replace(/\.md$/, '')}` })

/** The pages of a folder that other programs write; none before they did. */
function pagesOf(folder: string) {
  if (!existsSync(join(DOCS, folder))) return []
  return readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => page(`${folder}/${name}`))
}

const pages = (...names: string[]) => names.map((name) => page(`${name}.md`))

/** Pages are called by their headings, so that a heading is written in one place only. */
export default defineConfig({
  title: 'Inkling',
  description: 'Identifies browsers and scores the risk of a visit, on your own machine',
  rewrites: { 'signals/README.md': 'signals/index.md' },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    sidebar: [
      {
        text: 'Start',
        items: pages(
          'quick-start',
          'scoring',
          'identifiers',
          'identity',
          'acting-on-the-score',
          'demo-data',
          'faq',
        ),
      },
      {
        text: 'Use',
        items: pages(
          'dashboard',
          'in-the-page',
          'content-security-policy',
          'webhooks',
          'patterns',
          'decide',
          'lists',
          'cases',
          'alerts',
          'labels',
          'velocity',
          'api',
          'change-feed',
          'mcp',
          'migration',
        ),
      },
      {
        text: 'Run',
        items: pages(
          'deployment/index',
          'deployment/systemd',
          'deployment/docker',
          'deployment/kubernetes',
          'deployment/postgresql',
          'deployment/backup',
          'deployment/failures',
          'deployment/observability',
          'deployment/cold-storage',
          'deployment/scale',
          'deployment/capacity',
          'first-party',
          'command-line',
          'configuration',
          'network-evidence',
          'ip-data',
          'agents',
          'tuning',
          'privacy',
          'security',
          'people',
        ),
      },
      {
        text: 'Signals',
        collapsed: true,
        items: [{ text: 'All signals', link: '/signals/' }, ...pagesOf('signals')],
      },
      { text: 'Accuracy', items: [...pages('accuracy'), ...pagesOf('accuracy')] },
      {
        text: 'Inside',
        collapsed: true,
        items: [...pages('architecture'), ...pagesOf('decisions')],
      },
    ],
    footer: {
      message: 'Apache-2.0. <a href="https://db-ip.com">IP Geolocation by DB-IP</a>',
    },
  },
})
