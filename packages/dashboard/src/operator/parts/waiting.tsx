import { Skeleton, Stack } from '@mantine/core'

/** While an answer is on its way. */
export const Waiting = () => (
  <Stack gap="sm" role="status" aria-label="Loading">
    <Skeleton height={28} width="40%" />
    <Skeleton height={18} />
    <Skeleton height={18} />
    <Skeleton height={18} width="70%" />
  </Stack>
)
