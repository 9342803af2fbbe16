import { DEVICE_PARTS, type DevicePart } from '@inkling/contract/account'
import { type Components, componentsOf, componentValues, type ReadComponent } from '../identify/components.ts'
import { hash53 } from '../lib/hash53.ts'
import type { Identified } from '../visit/identification.ts'

/** What a visit shows of its device, for people. */
export interface DeviceLook {
  atMs: number
  requestId: string
  /** As the linker compares it. */
  components: Components
  /** Parts that are known. Two with the same `key` are equal, however short the text is. */
  parts: Partial<Record<DevicePart, { key: string; text: string }>>
  fonts: readonly string[]
}

export function lookOf(visit: Identified): DeviceLook {
  const { atMs, requestId, client, ip, readings } = visit
  const values = componentValues(readings)
  const texts: Partial<Record<DevicePart, string>> = {
    browser: named(client.browser, client.browserMajor === undefined ? '' : String(client.browserMajor)),
    system: named(client.os, client.osVersion),
    provider: ip.asn === undefined ? '' : named(`AS${ip.asn}`, ip.organization),
    country: ip.country,
  }
  const parts: DeviceLook['parts'] = {}
  for (const part of DEVICE_PARTS) {
    const value = part in values ? values[part as ReadComponent] : undefined
    const text = value === undefined ? texts[part] : TEXTS[part as ReadComponent](value)
    if (text) parts[part] = { key: value === undefined ? text : JSON.stringify(value), text }
  }
  return {
    atMs,
    requestId,
    components: componentsOf(visit),
    parts,
    fonts: readings.typefaces.ok ? readings.typefaces.value : [],
  }
}

const named = (name: string, version: string | undefined): string => `${name} ${version ?? ''}`.trim()

/** Shown where the value itself is a long list or a digest. */
const digest = (value: unknown): string => hash53(JSON.stringify(value)).toString(16).padStart(14, '0')
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])
const told = (value: unknown): boolean => ![null, undefined, '', 'no-preference'].includes(value as null)

/** Each value as a short text. The values are those of `componentValues`; empty where it says nothing. */
const TEXTS: Record<ReadComponent, (value: unknown) => string> = {
  machine(value) {
    const [platform, cores, touch] = list(value)
    return [platform, told(cores) && `${cores} cores`, touch === 0 ? 'no touch' : `${touch} touch points`]
      .filter(told)
      .filter((text) => text !== false)
      .join(', ')
  },
  model(value) {
    if (!Array.isArray(value)) return ''
    const [memory, model, architecture, bitness] = value
    return [told(memory) ? `${memory} GB` : '', model, [architecture, bitness].filter(told).join(' ')]
      .filter(told)
      .join(', ')
  },
  // The name of the driver was cut off, with its end.
  gpu: (value) => String(value).replace(/^([^()]*\([^()]*(?:\([^()]*\)[^()]*)*)$/, '$1)'),
  screen(value) {
    const [long, short, depth] = list(value)
    return `${long} × ${short}, ${depth} bit`
  },
  raster: digest,
  waveform: digest,
  rounding: String,
  limits: digest,
  typefaces: (value) => `${list(value).length} fonts`,
  languages: (value) => list(value).join(', '),
  timezone: String,
  settings: (value) =>
    Object.entries(value as Record<string, unknown>)
      .filter(([, setting]) => told(setting) && setting !== false)
      .map(([name, setting]) => (setting === true ? words(name) : `${words(name)}: ${setting}`))
      .join(', ') || 'all as usual',
  zoom: (value) => `${Math.round(Number(value) * 100)} %`,
  theme: String,
}

const words = (name: string): string => name.replaceAll('_', ' ')
