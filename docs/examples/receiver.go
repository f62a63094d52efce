// A webhook receiver in Go 1.18 or later, with the standard library alone.
//
//	SIGNING_SECRET=whsec_… PORT=4000 go run docs/examples/receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// Refuse older deliveries: somebody may have recorded them.
	toleranceSeconds = 300
	// The service never sends a longer body.
	bodyBytesMax = 1 << 20
)

var (
	secretPattern    = regexp.MustCompile(`^whsec_[A-Za-z0-9+/]{20,}={0,2}$`)
	timestampPattern = regexp.MustCompile(`^[0-9]{1,12}$`)
)

// keysFrom reads the signing secrets. During a rotation there may be two:
// SIGNING_SECRET=whsec_new,whsec_old. An empty secret is one that everybody knows.
func keysFrom(secrets string) ([][]byte, error) {
	var keys [][]byte
	for _, secret := range strings.Split(secrets, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || !secretPattern.MatchString(secret) {
			return nil, fmt.Errorf("set SIGNING_SECRET to the signing secret of the destination (whsec_…)")
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// verify returns nil if the body comes from the service, unchanged, and was sent just now.
func verify(keys [][]byte, headers http.Header, body []byte) error {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	signatures := headers.Get("webhook-signature")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || signatures == "" || !timestampPattern.MatchString(timestamp) || err != nil {
		return errors.New("the header webhook-id, webhook-timestamp or webhook-signature is missing or malformed. Is the sender the service?")
	}
	age := time.Now().Unix() - sent
	if age > toleranceSeconds {
		return errors.New("the request is older than 5 minutes. Is the clock of this machine right?")
	}
	if age < -toleranceSeconds {
		return errors.New("the request is more than 5 minutes in the future. Is the clock of this machine right?")
	}
	// One signature for each valid secret, separated by spaces. One that matches is enough.
	given := strings.Split(signatures, " ")
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, signature := range given {
			// Compares in constant time.
			if hmac.Equal([]byte(signature), []byte(expected)) {
				return nil
			}
		}
	}
	return errors.New("wrong signature. Is SIGNING_SECRET the secret of this destination?")
}

type event struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// handled holds the ids of the events that were handled: an event may come again. Keep them in
// your database.
var handled sync.Map

// handle must answer within 15 seconds: put slow work into a queue.
func handle(received event) {
	if _, again := handled.LoadOrStore(received.ID, true); again {
		fmt.Println(received.Type, received.ID, "again")
		return
	}
	fmt.Println(received.Type, received.ID)
}

func main() {
	keys, err := keysFrom(os.Getenv("SIGNING_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		// Verify the bytes as they came. JSON that is parsed and written again has other bytes.
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bodyBytesMax))
		if err != nil {
			http.Error(response, "the body is too long", http.StatusRequestEntityTooLarge)
			return
		}
		var received event
		fault := verify(keys, request.Header, body)
		if fault == nil {
			fault = json.Unmarshal(body, &received)
		}
		if fault != nil {
			fmt.Println("refused:", fault)
			http.Error(response, "refused", http.StatusUnauthorized)
			return
		}
		handle(received)
		response.WriteHeader(http.StatusNoContent)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "4000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, nil))
}
