import { hashText, type ReadingValues } from '@inkling/contract'
import { toJson } from '../collect/json.ts'
import { Unsupported } from '../collect/source.ts'
import { nextTask } from '../collect/turns.ts'

/**
 * Limits that depend on the GPU and its driver, by number, because names would be a third of this agent. See
 * https://registry.khronos.org/webgl/specs/latest/2.0/#3.7.2
 */
const LIMITS = [
  // Bits per channel, subpixel bits, samples.
  0xd52, 0xd53, 0xd54, 0xd55, 0xd56, 0xd57, 0xd50, 0x80a8, 0x80a9,
  // Ranges of line width and point size, largest viewport.
  0x846e, 0x846d, 0xd3a,
  // Largest texture, cube map, render buffer; texture units; uniforms, varyings, attributes.
  0xd33, 0x851c, 0x84e8, 0x8872, 0x8b4c, 0x8b4d, 0x8dfb, 0x8dfd, 0x8dfc, 0x8869,
]
const LIMITS_2 = [
  // 3D and array textures, attachments, draw buffers, samples, level-of-detail bias.
  0x8073, 0x88ff, 0x8cdf, 0x8824, 0x8d57, 0x84fd,
  // Elements, uniform blocks and their alignment, varyings, texel offsets, transform feedback.
  0x80e8, 0x80e9, 0x8a30, 0x8a2e, 0x8a2f, 0x8a34, 0x8b4b, 0x9122, 0x9125, 0x8904, 0x8905, 0x8c8b,
]
const VERTEX_AND_FRAGMENT_SHADER = [0x8b31, 0x8b30]
const LOW_FLOAT_TO_HIGH_INT = [0x8df0, 0x8df1, 0x8df2, 0x8df3, 0x8df4, 0x8df5]

const UNMASKED_VENDOR = 0x9245
const UNMASKED_RENDERER = 0x9246
const MAX_ANISOTROPY = 0x84ff

/** While its GPU process restarts, Chromium 156 gives contexts that answer with empty texts. */
const ATTEMPTS = 4
const WAIT_MS = 60

/** The names and limits that WebGL gives for the GPU. */
export async function webgl(): Promise<ReadingValues['webgl']> {
  for (let attempt = 1; ; attempt++) {
    const reading = await readGpu()
    if (reading.unmasked_renderer !== '') return reading
    if (attempt === ATTEMPTS) throw new Error('no GPU process')
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  }
}

async function readGpu(): Promise<ReadingValues['webgl']> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 1
  const second = canvas.getContext('webgl2')
  const gl = second ?? canvas.getContext('webgl')
  if (!gl) throw new Unsupported()

  try {
    // Creating the context may have taken tens of milliseconds.
    await nextTask()
    const read = (name: number): unknown => plain(gl.getParameter(name))
    const vendor = String(read(gl.VENDOR))
    const renderer = String(read(gl.RENDERER))
    // Firefox (since 92) names the GPU in RENDERER and prints a warning when the extension is used; others mask it.
    const masked = renderer === 'WebKit WebGL'
    const revealed = !masked || gl.getExtension('WEBGL_debug_renderer_info') !== null
    const anisotropic = gl.getExtension('EXT_texture_filter_anisotropic')
    const precisions = VERTEX_AND_FRAGMENT_SHADER.flatMap((shader) =>
      LOW_FLOAT_TO_HIGH_INT.map((type) => {
        const format = gl.getShaderPrecisionFormat(shader, type)
        return [format?.rangeMin, format?.rangeMax, format?.precision]
      }),
    )
    return {
      vendor,
      renderer,
      unmasked_vendor: revealed ? String(masked ? read(UNMASKED_VENDOR) : vendor) : null,
      unmasked_renderer: revealed ? String(masked ? read(UNMASKED_RENDERER) : renderer) : null,
      version: String(read(gl.VERSION)),
      shading_language: String(read(gl.SHADING_LANGUAGE_VERSION)),
      // WebGL 1 prints a warning for each number it does not know.
      parameters: hashText(
        toJson([
          [...LIMITS, ...(second ? LIMITS_2 : [])].map(read),
          anisotropic && read(MAX_ANISOTROPY),
          precisions,
          gl.getContextAttributes()?.antialias,
        ]),
      ),
      extensions: hashText([...(gl.getSupportedExtensions() ?? [])].sort().join()),
    }
  } finally {
    // A page may have 8 to 16 contexts. One that is not released costs the page one of its own.
    gl.getExtension('WEBGL_lose_context')?.loseContext()
  }
}

/** Ranges are typed arrays, which JSON would write as objects. */
const plain = (value: unknown): unknown =>
  ArrayBuffer.isView(value) ? [...(value as Float32Array | Int32Array)] : value
