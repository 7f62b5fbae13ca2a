// Command informer-timer says how long a client-go informer takes to sync a collection: the measure for ours.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	if len(os.Args) != 5 {
		fail(fmt.Errorf("usage: informer-timer <kubeconfig> <group> <version> <resource>"))
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	if err != nil {
		fail(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		fail(err)
	}
	before := heap()
	started, used := time.Now(), cpu()
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 0)
	resource := schema.GroupVersionResource{Group: os.Args[2], Version: os.Args[3], Resource: os.Args[4]}
	informer := factory.ForResource(resource).Informer()
	factory.Start(context.Background().Done())
	if !cache.WaitForCacheSync(context.Background().Done(), informer.HasSynced) {
		fail(fmt.Errorf("%s did not sync", resource.String()))
	}
	elapsed, spent := time.Since(started), cpu()-used
	count := len(informer.GetStore().ListKeys())
	result := map[string]any{
		"ms":        elapsed.Milliseconds(),
		"cpuMs":     spent.Milliseconds(),
		"objects":   count,
		"heapBytes": heap() - before,
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fail(err)
	}
	runtime.KeepAlive(informer)
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
