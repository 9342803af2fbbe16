import { Alert, Button, Group, useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { UndirectedGraph } from 'graphology'
import { useEffect, useRef, useState } from 'react'
import Sigma from 'sigma'
import { type EntityNetwork, keyOf, type NodeName } from './entity-network.ts'
import { buildGraph, layOut } from './network-layout.ts'
import { colorsOf, savePicture } from './network-looks.ts'

interface NetworkCanvasProps {
  network: EntityNetwork
  chosen: NodeName | undefined
  onChoose: (key: string) => void
}

/** The drawing itself. The table beside it has all of it for those who cannot see or point. */
export function NetworkCanvas({ network, chosen, onChoose }: NetworkCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const [sigma, setSigma] = useState<Sigma>()
  const [failed, setFailed] = useState(false)
  const dark = useComputedColorScheme('light') === 'dark'
  const theme = useMantineTheme()

  useEffect(() => {
    const container = box.current
    if (!container) return
    let created: Sigma | undefined
    // Not in the frame that draws the rest of the page: it waits for shaders to be compiled.
    const frame = requestAnimationFrame(() => {
      try {
        created = new Sigma(new UndirectedGraph(), container, {
          allowInvalidContainer: true,
          zIndex: true,
          labelFont: 'sans-serif',
          labelRenderedSizeThreshold: 7,
          // Lines are most of the work of a drawing.
          hideEdgesOnMove: true,
          hideLabelsOnMove: true,
        })
        setSigma(created)
      } catch {
        // Sigma throws without WebGL, as on some remote desktops.
        setFailed(true)
      }
    })
    return () => {
      cancelAnimationFrame(frame)
      created?.kill()
    }
  }, [])

  // Before the graph, and all at once: each change of a setting takes in every node and line that is there anew.
  useEffect(() => {
    if (!sigma) return
    const colors = colorsOf(theme, dark)
    const chosenKey = chosen && keyOf(chosen)
    sigma.setSettings({
      labelColor: { color: colors.text },
      defaultDrawNodeHover: colors.drawHover,
      nodeReducer: (key, data) => ({
        ...data,
        color: colors.ofKind[data.kind as NodeName['type']],
        ...(key === chosenKey && { highlighted: true, forceLabel: true, zIndex: 1 }),
      }),
      edgeReducer: (_key, data) => ({ ...data, color: colors.edge }),
    })
  }, [sigma, theme, dark, chosen])

  useEffect(() => {
    if (!sigma) return
    let stop = () => {}
    const building = buildGraph(network, sigma.getGraph() as UndirectedGraph)
    // Each step in a frame of its own: to build a large graph and to draw it are too much for one.
    const build = () => {
      const { done, value: graph } = building.next()
      frame = requestAnimationFrame(done ? () => draw(graph) : build)
    }
    const draw = (graph: UndirectedGraph) => {
      // As a whole, because each change of a graph that is drawn costs.
      sigma.setGraph(graph)
      stop = layOut(graph)
    }
    let frame = requestAnimationFrame(build)
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [sigma, network])

  useEffect(() => {
    if (!sigma) return
    const choose = ({ node }: { node: string }) => onChoose(node)
    sigma.on('clickNode', choose)
    return () => void sigma.off('clickNode', choose)
  }, [sigma, onChoose])

  if (failed)
    return (
      <Alert color="yellow" title="No drawing">
        This browser cannot draw the graph, because it has no WebGL. “Show as a table” lists all of it.
      </Alert>
    )
  return (
    <>
      <div ref={box} role="img" aria-label="Drawing of the graph" style={{ height: 460 }} />
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => void sigma?.getCamera().animatedZoom()}>
          Zoom in
        </Button>
        <Button size="xs" variant="default" onClick={() => void sigma?.getCamera().animatedUnzoom()}>
          Zoom out
        </Button>
        <Button size="xs" variant="default" onClick={() => void sigma?.getCamera().animatedReset()}>
          Show all
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => sigma && savePicture(sigma, colorsOf(theme, dark).background)}
        >
          Save as PNG
        </Button>
      </Group>
    </>
  )
}
