// Sends one request, which standard input describes as JSON, with Go's own client.
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

type sent struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers [][2]string `json:"headers"`
	Body    []byte      `json:"body"`
}

func main() {
	var described sent
	if err := json.NewDecoder(os.Stdin).Decode(&described); err != nil {
		panic(err)
	}
	request, err := http.NewRequest(described.Method, described.URL, bytes.NewReader(described.Body))
	if err != nil {
		panic(err)
	}
	for _, header := range described.Headers {
		request.Header.Set(header[0], header[1])
	}
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true},
		ForceAttemptHTTP2: true,
	}
	answer, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		panic(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s\n%d", text, answer.StatusCode)
}
