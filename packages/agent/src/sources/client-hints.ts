import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

type ClientHints = ReadingValues['client_hints']
type Brand = ClientHints['brands'][number]

/** Not in TypeScript's DOM types: Chromium only, and only in secure contexts. */
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

/** Brands keep the browser's order: it changes with the version and must agree with the request header. */
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
  // A hint that a permissions policy withholds is missing here, which is no reason to lose the others.
  return {
    brands: plainBrands(userAgentData.brands),
    mobile: userAgentData.mobile,
    platform: userAgentData.platform,
    ...(platformVersion !== undefined && { platform_version: platformVersion }),
    ...(architecture !== undefined && { architecture }),
    ...(bitness !== undefined && { bitness }),
    ...(model !== undefined && { model }),
    ...(fullVersionList !== undefined && { full_version_list: plainBrands(fullVersionList) }),
  }
}
