import {
  type MaybeRefOrGetter,
  onMounted,
  type ShallowRef,
  shallowReadonly,
  shallowRef,
  toValue,
  watch,
} from 'vue'
import type { CheckResult } from '../check.ts'
import { type IdentifyOptions, identify } from './identify.ts'

export interface RequestId {
  /** Undefined until the agent has answered. */
  result: Readonly<ShallowRef<CheckResult | undefined>>
  /** Identifies again, as after a submit, because a request ID counts once. */
  renew(): void
}

/**
 * Identifies when the component is mounted, and again when an option changes.
 *
 * @example
 * const { result, renew } = useRequestId(() => ({ agentUrl, publicKey, userHid: user.value?.hash }))
 */
export function useRequestId(options: MaybeRefOrGetter<IdentifyOptions>): RequestId {
  const result = shallowRef<CheckResult>()
  let latest = 0

  async function run(given: IdentifyOptions): Promise<void> {
    const own = ++latest
    result.value = undefined
    const answer = await identify(given)
    if (own === latest) result.value = answer
  }

  onMounted(() => {
    // As text, because a getter returns a new object each time, even with equal options.
    watch(
      () => JSON.stringify(toValue(options)),
      () => void run(toValue(options)),
      { immediate: true },
    )
  })
  return { result: shallowReadonly(result), renew: () => void run({ ...toValue(options), force: true }) }
}
