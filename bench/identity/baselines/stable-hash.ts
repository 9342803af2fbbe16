import type { Readings } from '../../../packages/server/src/visit/received.ts'

/** What of the readings stays the same in a private window; a noisy or missing one is left out. */
export function stableHash(readings: Readings): string {
  const { platform, hardware, screen, timezone, canvas, webgl, audio, fonts, math, vendor } = readings
  return JSON.stringify([
    platform.ok && platform.value,
    hardware.ok && { ...hardware.value, cores: comparableCores(hardware.value.cores, isGecko(vendor)) },
    screen.ok && [screen.value.width, screen.value.height, screen.value.color_depth],
    timezone.ok && timezone.value.name,
    canvas.ok && canvas.value.stable && [canvas.value.text, canvas.value.geometry],
    webgl.ok && [webgl.value.unmasked_renderer, webgl.value.parameters, webgl.value.extensions],
    audio.ok && audio.value.stable && audio.value.sum,
    fonts.ok && fonts.value,
    math.ok && math.value,
  ])
}

const isGecko = (vendor: Readings['vendor']): boolean => vendor.ok && vendor.value.product_sub === '20100101'

const comparableCores = (cores: number | null, gecko: boolean): number | null =>
  cores === null || !gecko ? cores : cores < 8 ? 4 : 8
