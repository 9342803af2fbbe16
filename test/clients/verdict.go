// Reads the score of an identification from History and checks the signature of an event with the standard library.
//
// Usage: go run verdict.go HISTORY_URL API_KEY REQUEST_ID SIGNING_SECRET SIGNATURE, with the event on standard input.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	url, apiKey, requestID, secret, signature := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	event, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	score, err := readScore(url, apiKey, requestID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("score", score)
	fmt.Println("signature", validity(event, secret, signature))
	event[0] ^= 1
	fmt.Println("forgery", validity(event, secret, signature))
}

func readScore(historyURL, apiKey, requestID string) (int, error) {
	request, err := http.NewRequest("GET", historyURL+"/api/v1/history/request_id/"+requestID+"?limit=1", nil)
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	for attempt := 0; attempt < 20; attempt++ {
		page, err := readPage(request)
		if err != nil {
			return 0, err
		}
		if len(page.Data) > 0 {
			return page.Data[0].Score, nil
		}
		time.Sleep(250 * time.Millisecond)
	}
	return 0, fmt.Errorf("no row of %s", requestID)
}

type page struct {
	Data []struct {
		Score int `json:"score"`
	} `json:"data"`
}

func readPage(request *http.Request) (found page, err error) {
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return found, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return found, fmt.Errorf("status %s", response.Status)
	}
	return found, json.NewDecoder(response.Body).Decode(&found)
}

func validity(event []byte, secret, signature string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(event)
	if hmac.Equal([]byte("sha256="+hex.EncodeToString(mac.Sum(nil))), []byte(signature)) {
		return "valid"
	}
	return "invalid"
}
