// Prints each order: a child of `postrider work --stay` without a client library.
//
//	postrider work --consumer printer --on 'order.*' --stay 'go run handle_orders.go'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

type message struct {
	Run       uint64          `json:"run"`
	MessageID string          `json:"message_id"`
	EventType string          `json:"event_type"`
	Attempts  int             `json:"attempts"`
	Payload   json.RawMessage `json:"payload"`
}

type line struct {
	Type     string    `json:"type"`
	Protocol int       `json:"protocol"`
	Messages []message `json:"messages"`
}

type outcome struct {
	Type       string `json:"type"`
	Run        uint64 `json:"run"`
	Outcome    string `json:"outcome"`
	Error      string `json:"error,omitempty"`
	ErrorClass string `json:"error_class,omitempty"`
}

func handle(m message) error {
	var order struct{ Number string }
	if err := json.Unmarshal(m.Payload, &order); err != nil {
		return err
	}
	log.Printf("order %s, attempt %d", order.Number, m.Attempts) // to stderr, into the worker's log
	return nil
}

func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		text, err := in.ReadBytes('\n')
		if err != nil {
			return // the worker has ended
		}
		var next line
		if err := json.Unmarshal(text, &next); err != nil {
			log.Fatal(err)
		}
		if next.Type == "hello" {
			if next.Protocol != 1 {
				log.Fatalf("protocol %d", next.Protocol)
			}
			fmt.Println(`{"type":"hello","protocol":1}`)
		}
		for _, m := range next.Messages {
			how := outcome{Type: "outcome", Run: m.Run, Outcome: "delivered"}
			if err := handle(m); err != nil {
				how = outcome{"outcome", m.Run, "transient", err.Error(), "handler"}
			}
			if err := out.Encode(how); err != nil {
				log.Fatal(err)
			}
		}
	}
}
