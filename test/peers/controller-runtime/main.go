// Command reconcile-timer says what a reconcile that changes nothing costs in controller-runtime: the measure for ours.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: reconcile-timer <objects> <rounds>"))
	}
	objects, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fail(err)
	}
	rounds, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fail(err)
	}
	log.SetLogger(logr.Discard())
	micros, err := measure(context.Background(), objects, rounds)
	if err != nil {
		fail(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(micros); err != nil {
		fail(err)
	}
}

// measure returns the microseconds of CPU for one reconcile, round by round.
func measure(ctx context.Context, objects, rounds int) ([]float64, error) {
	events := watch.NewFakeWithOptions(watch.FakeOptions{ChannelSize: objects})
	informer := cache.NewSharedIndexInformer(machines(objects, events), &unstructured.Unstructured{}, 0, cache.Indexers{})
	go informer.Run(ctx.Done())
	var reconciled atomic.Int64
	noOp, err := controller.NewUnmanaged("no-op", controller.Options{
		MaxConcurrentReconciles: 10,
		Reconciler: reconcile.Func(func(_ context.Context, request reconcile.Request) (reconcile.Result, error) {
			found, exists, err := informer.GetIndexer().GetByKey(request.String())
			if err != nil || !exists {
				return reconcile.Result{}, fmt.Errorf("the cache must know %s: %w", request, err)
			}
			// A controller's reader hands out copies, so that nobody changes what is cached.
			found.(*unstructured.Unstructured).DeepCopy()
			reconciled.Add(1)
			return reconcile.Result{}, nil
		}),
	})
	if err != nil {
		return nil, err
	}
	if err := noOp.Watch(&source.Informer{Informer: informer, Handler: &handler.EnqueueRequestForObject{}}); err != nil {
		return nil, err
	}
	go func() {
		if err := noOp.Start(ctx); err != nil {
			fail(err)
		}
	}()
	target := int64(objects)
	await(&reconciled, target)
	micros := make([]float64, 0, rounds)
	for round := range rounds {
		changed := make([]*unstructured.Unstructured, objects)
		for index := range changed {
			changed[index] = machine(index, round+2)
		}
		target += int64(objects)
		before := cpu()
		for _, object := range changed {
			events.Modify(object)
		}
		await(&reconciled, target)
		micros = append(micros, float64((cpu()-before).Nanoseconds())/1e3/float64(objects))
	}
	return micros, nil
}

// machines lists and streams the first state; what follows is pushed into events.
func machines(objects int, events *watch.FakeWatcher) *cache.ListWatch {
	return &cache.ListWatch{
		ListFunc: func(metav1.ListOptions) (runtime.Object, error) {
			list := &unstructured.UnstructuredList{}
			list.SetResourceVersion("1")
			for index := range objects {
				list.Items = append(list.Items, *machine(index, 1))
			}
			return list, nil
		},
		WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) {
			if options.SendInitialEvents != nil && *options.SendInitialEvents {
				return nil, fmt.Errorf("only lists begin a watch here")
			}
			return events, nil
		},
	}
}

func machine(index, version int) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "x.io/v1",
		"kind":       "Machine",
		"metadata": map[string]any{
			"name":            fmt.Sprintf("m-%d", index),
			"namespace":       "default",
			"uid":             fmt.Sprintf("u-%d", index),
			"resourceVersion": strconv.Itoa(version),
			"generation":      int64(version),
		},
		"spec": map[string]any{"clusterName": "bench", "providerID": fmt.Sprintf("x://%d", index)},
		"status": map[string]any{"conditions": []any{map[string]any{
			"type": "Ready", "status": "True", "reason": "Ready", "message": "",
			"lastTransitionTime": "2026-01-01T00:00:00Z",
		}}},
	}}
}

func await(reconciled *atomic.Int64, target int64) {
	for reconciled.Load() < target {
		time.Sleep(time.Millisecond)
	}
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
