import type { ReadingName } from '@inkling/contract'
import { NIL_UUID } from '@inkling/contract'
import type { Enriched, Identified, Readings } from '../identification.ts'
import { uuidV5 } from '../lib/uuid.ts'

/** What of each reading stays the same in a private window and after clearing the browser's storage. */
const STABLE: { [Name in ReadingName]?: (readings: Readings) => unknown } = {
  platform: ({ platform }) => platform.ok && platform.value,
  hardware: ({ hardware, vendor }) =>
    hardware.ok && { ...hardware.value, cores: comparableCores(hardware.value.cores, isGecko(vendor)) },
  screen: ({ screen }) => screen.ok && [screen.value.width, screen.value.height, screen.value.color_depth],
  timezone: ({ timezone }) => timezone.ok && timezone.value.name,
  canvas: ({ canvas }) => canvas.ok && canvas.value.stable && [canvas.value.text, canvas.value.geometry],
  webgl: ({ webgl }) =>
    webgl.ok && [
      webgl.value.renderer,
      webgl.value.unmasked_renderer,
      webgl.value.parameters,
      webgl.value.extensions,
    ],
  audio: ({ audio }) => audio.ok && audio.value.stable && audio.value.sum,
  fonts: ({ fonts }) => fonts.ok && fonts.value,
  math: ({ math }) => math.ok && math.value,
}

/** Every Gecko browser reports this date as its product. */
const isGecko = (vendor: Readings['vendor']): boolean => vendor.ok && vendor.value.product_sub === '20100101'

/**
 * Firefox's private windows tell 4 or 8 cores whatever there are (measured on 153: 2 cores read 4), so its
 * ordinary ones are compared in the same two steps.
 */
const comparableCores = (cores: number | null, gecko: boolean): number | null =>
  cores === null || !gecko ? cores : cores < 8 ? 4 : 8

/** Readings that tell machines apart; the others are shared by too many to stand alone. */
const DISTINCTIVE: readonly ReadingName[] = ['canvas', 'webgl', 'audio', 'fonts']
const COMPONENTS_MIN = 3

/**
 * Names the device by its stable readings. The same readings always give the same identifiers, so two
 * first visits at once cannot make two devices. Without enough readings both identifiers are nil.
 */
export function identify(enriched: Enriched): Identified {
  const stable = Object.entries(STABLE).flatMap(([name, read]) => {
    const value = read(enriched.readings)
    return value === false ? [] : [[name as ReadingName, value] as const]
  })
  const components = stable.map(([name]) => name)
  const usable = components.length >= COMPONENTS_MIN && components.some((name) => DISTINCTIVE.includes(name))
  if (!usable) return { ...enriched, identity: { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] } }

  const deviceId = uuidV5(enriched.domain.namespace, JSON.stringify(stable))
  const visitorId = uuidV5(enriched.domain.namespace, `visitor of ${deviceId}`)
  return { ...enriched, identity: { deviceId, visitorId, components } }
}
