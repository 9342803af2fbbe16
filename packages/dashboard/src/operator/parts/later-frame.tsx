import { type ReactNode, startTransition, useEffect, useState } from 'react'

interface LaterFrameProps {
  /** As a rule that of the children, so that what stands below does not move. */
  height: number
  children: ReactNode
}

/** Draws its children in a frame of their own, once the rest of the page is there: together they would take too long. */
export function LaterFrame({ height, children }: LaterFrameProps) {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => startTransition(() => setDue(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isDue ? children : <div style={{ height }} />
}
