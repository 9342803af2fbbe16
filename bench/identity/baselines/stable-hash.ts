import type { Readings } from '../../../packages/server/src/visit/received.ts'

/** The readings that stay the same in a private window, without noisy or missing ones. */
export function stableHash(readings: Readings): string {
  const { platform, hardware, screen, timezone, raster, webgl, waveform, typefaces, rounding, vendor } =
    readings
  return JSON.stringify([
    platform.ok && platform.value,
    hardware.ok && { ...hardware.value, cores: comparableCores(hardware.value.cores, isGecko(vendor)) },
    screen.ok && [screen.value.width, screen.value.height, screen.value.color_depth],
    timezone.ok && timezone.value.name,
    raster.ok && raster.value.stable && [raster.value.glyphs, raster.value.shapes],
    webgl.ok && [webgl.value.unmasked_renderer, webgl.value.parameters, webgl.value.extensions],
    waveform.ok && waveform.value.stable && [waveform.value.synthesis, waveform.value.resampling],
    typefaces.ok && typefaces.value,
    rounding.ok && rounding.value,
  ])
}

const isGecko = (vendor: Readings['vendor']): boolean => vendor.ok && vendor.value.product_sub === '20100101'

const comparableCores = (cores: number | null, gecko: boolean): number | null =>
  cores === null || !gecko ? cores : cores < 8 ? 4 : 8
