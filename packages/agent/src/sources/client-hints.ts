import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/source.ts'

type ClientHints = ReadingValues['client_hints']
type Brand = ClientHints['brands'][number]

/**
 * Chromium only, and only in secure contexts, so TypeScript's DOM types lack it
 * (https://wicg.github.io/ua-client-hints/).
 */
interface UserAgentData {
  brands: Brand[]
  mobile: boolean
  platform: string
  getHighEntropyValues(hints: string[]): Promise<HighEntropyValues>
}

interface HighEntropyValues {
  platformVersion?: string
  architecture?: string
  bitness?: string
  model?: string
  fullVersionList?: Brand[]
}

/** In the browser's order, which changes with the version and has to agree with the request header. */
const plainBrands = (brands: Brand[]): Brand[] => brands.map(({ brand, version }) => ({ brand, version }))

export async function clientHints(): Promise<ClientHints> {
  const { userAgentData } = navigator as Navigator & { userAgentData?: UserAgentData }
  if (!userAgentData) throw new Unsupported()

  const { platformVersion, architecture, bitness, model, fullVersionList } =
    await userAgentData.getHighEntropyValues([
      'platformVersion',
      'architecture',
      'bitness',
      'model',
      'fullVersionList',
    ])
  const { brands, mobile, platform } = userAgentData
  const told = {
    platform_version: platformVersion,
    architecture,
    bitness,
    model,
    full_version_list: fullVersionList && plainBrands(fullVersionList),
  }
  // A permissions policy may withhold single hints.
  return {
    brands: plainBrands(brands),
    mobile,
    platform,
    ...Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)),
  }
}
