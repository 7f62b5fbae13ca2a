// Command clients uses a Kubernetes API server the way Go controllers do, and prints what each way came to as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
)

const (
	namespace = "go-clients"
	patience  = 60 * time.Second
)

// check is one way of using the server; it returns facts for the test to look at.
type check struct {
	name string
	run  func(ctx context.Context, config *rest.Config) (any, error)
}

type outcome struct {
	Name  string `json:"name"`
	Facts any    `json:"facts,omitempty"`
	Error string `json:"error,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: clients KUBECONFIG")
		os.Exit(2)
	}
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	config.QPS, config.Burst = 500, 500
	outcomes := []outcome{}
	for _, one := range checks() {
		outcomes = append(outcomes, run(one, config))
	}
	if err := json.NewEncoder(os.Stdout).Encode(outcomes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func checks() []check {
	return []check{
		{"namespace", prepareNamespace},
		{"typed clients over protobuf", typedClients},
		{"typed informers", typedInformers},
		{"dynamic and metadata informers", dynamicInformers},
		{"leader election", leaderElection},
		{"conflicts", conflicts},
		{"server-side apply", serverSideApply},
		{"event recorders", eventRecorders},
		{"reviews", reviews},
		{"definitions over protobuf", definitions},
		{"a manager with a cache of custom resources", manager},
	}
}

func run(one check, config *rest.Config) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	facts, err := one.run(ctx, rest.CopyConfig(config))
	if err != nil {
		return outcome{Name: one.name, Error: err.Error()}
	}
	return outcome{Name: one.name, Facts: facts}
}
