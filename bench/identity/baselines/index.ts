import type { Linker } from '../linker.ts'
import { stableHash } from './stable-hash.ts'

const counter = (): (() => string) => {
  let count = 0
  return () => String(count++)
}

function recall<Key>(ids: Map<Key, string>, key: Key, make: () => string): string {
  const id = ids.get(key) ?? make()
  ids.set(key, id)
  return id
}

const cookieOnly = (): Linker => {
  const ids = new Map<string, string>()
  const next = counter()
  return { name: 'cookie only', link: ({ cookieId }) => recall(ids, cookieId, next) }
}

const exactHash = (): Linker => {
  const ids = new Map<string, string>()
  const next = counter()
  return { name: 'exact stable hash', link: ({ readings }) => recall(ids, stableHash(readings), next) }
}

const cookieElseHash = (): Linker => {
  const ofCookie = new Map<string, string>()
  const ofHash = new Map<string, string>()
  const next = counter()
  return {
    name: 'cookie, else hash',
    link({ cookieId, readings }) {
      const hash = stableHash(readings)
      const id = ofCookie.get(cookieId) ?? ofHash.get(hash) ?? next()
      ofCookie.set(cookieId, id)
      if (!ofHash.has(hash)) ofHash.set(hash, id)
      return id
    },
  }
}

/**
 * After Eckersley (https://coveryourtracks.eff.org/static/browser-uniqueness.pdf): links equal facts;
 * otherwise the known browser that differs in a single fact, if there is exactly one.
 */
const singleDifference = (): Linker => {
  const next = counter()
  const ofAll = new Map<string, string>()
  /** All facts but one, mapped to the identifiers seen with them. */
  const ofRest = new Map<string, Set<string>>()
  return {
    name: 'single difference',
    link({ readings }) {
      const { languages, user_agent } = readings
      const facts = [
        ...(JSON.parse(stableHash(readings)) as unknown[]),
        user_agent.ok && user_agent.value,
        languages.ok && languages.value.languages,
      ].map((fact) => JSON.stringify(fact))
      const all = facts.join()
      const rests = facts.map((_, left) => `${left} ${facts.filter((_fact, index) => index !== left).join()}`)
      const near = new Set(rests.flatMap((rest) => [...(ofRest.get(rest) ?? [])]))
      const [only] = near
      const id = ofAll.get(all) ?? (near.size === 1 && only !== undefined ? only : next())
      if (!ofAll.has(all)) {
        ofAll.set(all, id)
        for (const rest of rests) ofRest.set(rest, (ofRest.get(rest) ?? new Set()).add(id))
      }
      return id
    },
  }
}

export const BASELINES: readonly (() => Linker)[] = [cookieOnly, exactHash, cookieElseHash, singleDifference]
