package main

import (
	"context"
	"fmt"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

func dynamicInformers(ctx context.Context, config *rest.Config) (any, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	meta, err := metadata.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	whole := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	parts := metadatainformer.NewFilteredSharedInformerFactory(meta, 0, namespace, nil)
	objects, headers := whole.ForResource(configMaps), parts.ForResource(configMaps)
	whole.Start(ctx.Done())
	parts.Start(ctx.Done())
	// Informers exist from the first call on, and start afterwards.
	go objects.Informer().Run(ctx.Done())
	go headers.Informer().Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), objects.Informer().HasSynced, headers.Informer().HasSynced) {
		return nil, fmt.Errorf("the caches never synced")
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap",
		"metadata": map[string]any{"name": "dynamic", "labels": map[string]any{"a": "b"}},
		"data":     map[string]any{"k": "v"},
	}}
	if _, err = client.Resource(configMaps).Namespace(namespace).Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	facts := map[string]any{}
	err = until(ctx, func() (bool, error) {
		found, err := objects.Lister().ByNamespace(namespace).Get("dynamic")
		if err != nil {
			return false, nil
		}
		header, err := headers.Lister().ByNamespace(namespace).Get("dynamic")
		if err != nil {
			return false, nil
		}
		value, _, _ := unstructured.NestedString(found.(*unstructured.Unstructured).Object, "data", "k")
		facts["data"], facts["label"] = value, header.(*metav1.PartialObjectMetadata).Labels["a"]
		return true, nil
	})
	return facts, err
}

func leaderElection(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	led := []string{}
	for _, identity := range []string{"first", "second"} {
		term, cancel := context.WithCancel(ctx)
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: namespace},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: identity},
		}
		leaderelection.RunOrDie(term, leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true,
			LeaseDuration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { led = append(led, identity); cancel() },
				OnStoppedLeading: func() {},
			},
		})
		cancel()
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s never led", identity)
		}
	}
	lease, err := client.CoordinationV1().Leases(namespace).Get(ctx, "leader", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return map[string]any{"led": led, "transitions": *lease.Spec.LeaseTransitions}, nil
}

func eventRecorders(ctx context.Context, config *rest.Config) (any, error) {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	about, err := client.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "eventful"}}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	old := record.NewBroadcaster()
	old.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events(namespace)})
	defer old.Shutdown()
	recorder := old.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "old"})
	for range 3 {
		recorder.Event(about, corev1.EventTypeNormal, "Old", "said three times")
	}
	modern := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	modern.StartRecordingToSink(ctx.Done())
	defer modern.Shutdown()
	modern.NewRecorder(scheme.Scheme, "example.com/modern").Eventf(about, nil, corev1.EventTypeWarning, "Modern", "Doing", "said %s", "once")
	facts := map[string]any{}
	err = until(ctx, func() (bool, error) {
		core, err := client.CoreV1().Events(namespace).List(ctx, metav1.ListOptions{FieldSelector: "involvedObject.name=eventful"})
		if err != nil {
			return false, err
		}
		viewed, err := client.EventsV1().Events(namespace).List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for _, event := range core.Items {
			facts[event.Reason] = event.Message
			if event.Reason == "Old" {
				facts["count"] = event.Count
			}
		}
		facts["viewed"] = len(viewed.Items) >= 2
		return len(core.Items) == 2 && facts["count"] == int32(3), nil
	})
	return facts, err
}

func reviews(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	token, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, "default", &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	known, err := client.AuthenticationV1().TokenReviews().Create(ctx, &authenticationv1.TokenReview{
		Spec: authenticationv1.TokenReviewSpec{Token: token.Status.Token},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	allowed, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, &authorizationv1.SubjectAccessReview{
		Spec: authorizationv1.SubjectAccessReviewSpec{
			User:                  known.Status.User.Username,
			Groups:                known.Status.User.Groups,
			NonResourceAttributes: &authorizationv1.NonResourceAttributes{Path: "/metrics", Verb: "get"},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	return map[string]any{"user": known.Status.User.Username, "authenticated": known.Status.Authenticated, "allowed": allowed.Status.Allowed}, nil
}
