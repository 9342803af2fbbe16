/** What the server asks a browser to try; `null` where it has no responder. */
export interface NetworkCheckTask {
  urls: string[]
  username: string
  credential: string
}

export interface NetworkReport {
  outcome: 'complete' | 'unsupported' | 'failed'
  /** Whether the responder's refusal came back, which is its way to say that it saw us. */
  answered: boolean
}

/** Browsers try for about ten seconds when nothing answers; the score does not wait that long. */
const LIMIT_MS = 5_000

/**
 * Sends packets to the server's responder over every transport, so that it sees the address they come from.
 * Only relayed candidates are asked for: none of the machine's own addresses is looked up.
 */
export async function checkNetwork({ urls, username, credential }: NetworkCheckTask): Promise<NetworkReport> {
  if (typeof RTCPeerConnection !== 'function') return { outcome: 'unsupported', answered: false }
  let connection: RTCPeerConnection | undefined
  try {
    const peer = new RTCPeerConnection({
      iceTransportPolicy: 'relay',
      iceServers: urls.map((url) => ({ urls: url, username, credential })),
    })
    connection = peer
    let answered = false
    // 7xx means that nothing was heard; what the responder itself says is below.
    peer.addEventListener('icecandidateerror', ({ errorCode }) => {
      if (errorCode < 700) answered = true
    })
    const gathered = new Promise<void>((resolve) => {
      setTimeout(resolve, LIMIT_MS)
      peer.addEventListener('icegatheringstatechange', () => {
        if (peer.iceGatheringState === 'complete') resolve()
      })
    })
    peer.createDataChannel('')
    await peer.setLocalDescription(await peer.createOffer())
    await gathered
    return { outcome: 'complete', answered }
  } catch {
    return { outcome: 'failed', answered: false }
  } finally {
    connection?.close()
  }
}
