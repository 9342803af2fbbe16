/** Chromium since 144, Firefox since 139. */
export interface WithTemporal {
  Temporal?: { Now: { timeZoneId(): string } }
}

/** What one realm says of the machine; a page, its frames and its workers ought to agree. */
export interface RealmFacts {
  user_agent: string
  platform: string
  languages: string[]
  cores: number | null
  memory_gb: number | null
  timezone: string
  webgl_renderer: string | null
}

/** Also sent to the worker as text, so it may use nothing from outside itself but its argument. */
export function realmFacts(
  realm: typeof globalThis,
  canvas: HTMLCanvasElement | OffscreenCanvas | null,
): RealmFacts {
  const { userAgent, platform, languages, hardwareConcurrency, deviceMemory } =
    realm.navigator as Navigator & {
      deviceMemory?: number
    }
  const gl = canvas?.getContext('webgl') as WebGLRenderingContext | null | undefined
  let renderer: string | null = null
  if (gl) {
    renderer = String(gl.getParameter(gl.RENDERER))
    // Firefox names the GPU at once and warns about the extension; see the webgl source.
    const masked = renderer === 'WebKit WebGL' && gl.getExtension('WEBGL_debug_renderer_info')
    if (masked) renderer = String(gl.getParameter(masked.UNMASKED_RENDERER_WEBGL))
    gl.getExtension('WEBGL_lose_context')?.loseContext()
  }
  return {
    user_agent: userAgent,
    platform,
    languages: [...languages],
    cores: hardwareConcurrency ?? null,
    memory_gb: deviceMemory ?? null,
    // By the way of the timezone source, so that one browser never contradicts itself.
    timezone:
      (realm as WithTemporal).Temporal?.Now.timeZoneId() ??
      realm.Intl.DateTimeFormat().resolvedOptions().timeZone,
    webgl_renderer: renderer,
  }
}
