import { hash, type ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'
import { turns } from '../collect/turns.ts'

/**
 * What the machine's fonts and rasteriser make of two drawings. Each step of a drawing leans on another stage of the
 * way from a drawing command to pixels, and on nothing that changes with the page, its zoom or the monitor.
 */
export async function raster(): Promise<ReadingValues['raster']> {
  const glyphs = await draw(GLYPHS)
  const shapes = await draw(SHAPES)
  const again = [await draw(GLYPHS), await draw(SHAPES)]
  return { glyphs, shapes, stable: glyphs === again[0] && shapes === again[1] && readsBackExactly() }
}

interface Drawing {
  width: number
  height: number
  settings?: CanvasRenderingContext2DSettings
  steps: readonly ((context: CanvasRenderingContext2D) => void)[]
}

/** Text is drawn by the processor: there its letters depend on the fonts, and not on the state of the GPU process. */
const ON_PROCESSOR: CanvasRenderingContext2DSettings = { willReadFrequently: true }

/** A step for each script: every one brings another font, and loading a font is slow. */
const GLYPHS: Drawing = {
  width: 176,
  height: 64,
  settings: ON_PROCESSOR,
  steps: [
    (context) => {
      // Without it Chromium 156 shapes letters by the zoom of the page and the scale of the monitor.
      context.textRendering = 'geometricPrecision'
      // One pair of letters, each time an eighth of a pixel further right: rasterisers round positions to whole,
      // half or quarter pixels. The generic name asks for the font that the system prefers.
      context.font = '11px sans-serif'
      for (let place = 0; place < 8; place++) context.fillText('Ra', place * 22.125, 11)
    },
    (context) => {
      // Dark on light and light on dark: systems thicken or thin strokes by contrast, with a gamma of their own.
      context.fillStyle = '#fec'
      context.fillRect(0, 15, 88, 17)
      context.font = '13.4px serif'
      context.fillText('fiÅg&8', 92, 28)
      context.fillStyle = '#325'
      context.fillText('fiÅg&8', 3, 28)
    },
    (context) => {
      // A slant that few monospaced fonts have, so that the rasteriser leans the letters over; half transparent.
      context.globalAlpha = 0.6
      context.font = 'italic 14px monospace'
      context.fillText('{0}Wq', 3, 46)
    },
    (context) => {
      // The font of the desktop, which changes with the system's versions.
      context.font = '600 12px system-ui'
      context.fillText('Qk5ß', 54, 46)
    },
    // Scripts whose fallback font differs by system. Not Han: its font also depends on the order of languages.
    (context) => context.fillText('क्षि', 92, 46),
    (context) => context.fillText('뷁', 118, 46),
    (context) => {
      // Emoji of two years, which tell the emoji font's version: a bird and a fire, or since Unicode 15.1 one phoenix;
      // a tired face of 16, or an empty box.
      context.globalAlpha = 1
      context.font = '15px sans-serif'
      context.fillText('\u{1f426}\u200d\u{1f525}\u{1fae9}', 132, 60)
    },
  ],
}

/** Where this is drawn is left to the browser: on the GPU where there is one, so the GPU shows too (Chromium 156). */
const SHAPES: Drawing = {
  width: 104,
  height: 104,
  steps: [
    (context) => {
      // 31 edges, each with a slope of its own, and overlaps that count once or twice: how much of a pixel an edge
      // covers is measured exactly, on a grid of samples or by distance.
      context.fillStyle = '#247'
      for (let corner = 0; corner < 31; corner++)
        context.lineTo(((corner * corner * 17) % 101) + corner / 31, ((corner * 41) % 103) + corner / 7)
      context.fill('evenodd')
    },
    (context) => {
      // Few shades over many pixels: they show whether steps are dithered, and how colours between stops are rounded.
      const fade = context.createRadialGradient(30, 70, 3, 52, 52, 70)
      fade.addColorStop(0, '#b0a89c')
      fade.addColorStop(1, '#a59fb480')
      context.fillStyle = fade
      // Blending with roots and with sums over the channels, in 8 bits or in floats.
      context.globalCompositeOperation = 'soft-light'
      context.fillRect(0, 0, 104, 60)
      context.globalCompositeOperation = 'luminosity'
      context.fillRect(20, 44, 84, 60)
      context.globalCompositeOperation = 'source-over'
    },
    (context) => {
      // A loop cut into dashes: curves become lines, lines are measured, joined and capped, and each step rounds.
      context.lineWidth = 2.7
      context.lineCap = 'round'
      context.setLineDash([7.3, 4.1])
      context.strokeStyle = '#d52'
      // A blur is a bell curve on some machines and three boxes on others.
      context.shadowBlur = 4.6
      context.shadowColor = '#093'
      context.beginPath()
      context.moveTo(6, 95)
      context.bezierCurveTo(150, -40, -50, -30, 99, 90)
      context.stroke()
    },
    (context) => {
      // Known pixels, enlarged and turned: bilinear, bicubic, or by steps of two.
      context.imageSmoothingQuality = 'high'
      context.setTransform(1.31, 0.42, -0.37, 0.77, 40, 8)
      context.drawImage(knownPixels(24).canvas, 0, 0)
    },
  ],
}

/** A canvas each time: reading one twice makes Chromium print advice to the console. */
function contextOf(width: number, height: number, settings?: CanvasRenderingContext2DSettings) {
  const element = document.createElement('canvas')
  element.width = width
  element.height = height
  const context = element.getContext('2d', settings)
  if (!context) throw new Unsupported()
  return context
}

/** Pixels, not a PNG: encoding is slow and differs between versions of the encoder. */
const pixelsOf = (context: CanvasRenderingContext2D, { width, height } = context.canvas): Uint32Array =>
  new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)

async function draw({ width, height, settings, steps }: Drawing): Promise<string> {
  const turn = turns()
  const context = contextOf(width, height, settings)
  for (const step of steps) {
    step(context)
    await turn()
  }
  return hash(pixelsOf(context))
}

/** Opaque, so that no rounding by alpha happens when they are stored. */
const knownPixel = (index: number): number => Math.imul(index, 2_654_435) | 0xff000000

function knownPixels(size: number): CanvasRenderingContext2D {
  const context = contextOf(size, size, ON_PROCESSOR)
  const image = context.createImageData(size, size)
  new Uint32Array(image.data.buffer).forEach((_, index, pixels) => {
    pixels[index] = knownPixel(index)
  })
  context.putImageData(image, 0, 0)
  return context
}

/**
 * Whether known pixels come back as they were written. This finds noise that repeats within a visit, as that of Brave
 * and of Firefox's stricter modes (since 120) does; drawing twice finds only noise that changes.
 */
const readsBackExactly = (): boolean =>
  pixelsOf(knownPixels(64)).every((pixel, index) => pixel === knownPixel(index) >>> 0)
