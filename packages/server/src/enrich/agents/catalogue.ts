import { readFile } from 'node:fs/promises'
import { AGENT_CATEGORIES } from '@inkling/contract'
import { z } from 'zod'
import { AppError } from '../../lib/errors.ts'
import published from './agents.json' with { type: 'json' }

/** The default of the setting `AGENTS`: the agents of `agents.json`. */
export const AGENTS_PUBLIC = 'public'
const AGENTS_OFF = 'off'

const origin = z.url({ protocol: /^https?$/ }).refine((text) => URL.parse(text)?.origin === text, {
  error: 'an origin, such as https://agent.example',
})

/** An agent of the catalogue. Its `source` says where its operator documents it, `read` when that was read. */
const CatalogueAgent = z.strictObject({
  id: z.string().regex(/^[a-z0-9_]{1,40}$/, 'lower case letters, digits and _ only'),
  name: z.string().min(1).max(80),
  operator: z.string().min(1).max(80),
  category: z.enum(AGENT_CATEGORIES),
  purpose: z.string().max(200).default(''),
  /** What its user agents contain. */
  user_agents: z.array(z.string().min(3).max(60)).max(20).default([]),
  /** Origins that publish its keys. In the operator's own file they may be private, and without TLS. */
  directories: z.array(origin).max(10).default([]),
  /** The name under which feeds, or the list of crawlers, know its addresses. */
  addresses: z.string().max(60).optional(),
  /** Whether its operator says that it comes from nowhere else. */
  refutable: z.boolean().default(false),
  source: z.string().max(300).default(''),
  read: z.iso.date().optional(),
})
export type CatalogueAgent = z.output<typeof CatalogueAgent>

const Catalogue = z.array(CatalogueAgent)

export interface AgentCatalogue {
  agents: readonly CatalogueAgent[]
  byDirectory(origin: string): CatalogueAgent | undefined
  /** The agent that a user agent claims to be. */
  byUserAgent(userAgent: string): CatalogueAgent | undefined
  /** Origins of the operator's own file, which may be private. */
  ownDirectories: ReadonlySet<string>
  /** Whether no key directory is asked. */
  isOff: boolean
}

/**
 * The agents that the setting `AGENTS` names: those of the release, none, or a JSON file that adds to them. An entry of
 * the file with the ID of one replaces it.
 * @throws AppError `INK_AGENTS_FILE` with every problem of the file
 */
export async function readCatalogue(setting: string): Promise<AgentCatalogue> {
  if (setting === AGENTS_OFF) return { ...catalogueOf([], []), isOff: true }
  const release = Catalogue.parse(published)
  return catalogueOf(release, setting === AGENTS_PUBLIC ? [] : await readOwn(setting))
}

async function readOwn(file: string): Promise<CatalogueAgent[]> {
  const refuse = (why: string, cause?: unknown) =>
    new AppError('INK_AGENTS_FILE', `AGENTS: ${why}`, { cause })
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw refuse(cause.message, cause)
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw refuse(`${file} is not JSON`, cause)
  }
  const { data, error } = Catalogue.safeParse(json)
  if (data) return data
  const problems = error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
  throw refuse(`${file} is invalid:\n  ${problems.join('\n  ')}`)
}

/** Agents name themselves near the start; matching more text would only take time. */
const MATCHED_MAX = 512

function catalogueOf(release: readonly CatalogueAgent[], own: readonly CatalogueAgent[]): AgentCatalogue {
  const replaced = new Set(own.map(({ id }) => id))
  const agents = [...own, ...release.filter(({ id }) => !replaced.has(id))]
  // Backwards, as the last of a map wins: the operator's own entries come first.
  const byDirectory = new Map(
    agents.toReversed().flatMap((agent) => agent.directories.map((url) => [url, agent] as const)),
  )
  const tokens = agents.flatMap((agent) =>
    agent.user_agents.map((token) => ({ token: token.toLowerCase(), agent })),
  )
  return {
    agents,
    byDirectory: (origin) => byDirectory.get(origin),
    byUserAgent(sent) {
      const userAgent = sent.slice(0, MATCHED_MAX).toLowerCase()
      return tokens.find(({ token }) => userAgent.includes(token))?.agent
    },
    ownDirectories: new Set(own.flatMap(({ directories }) => directories)),
    isOff: false,
  }
}
