package main

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	corev1apply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/retry"
)

// protobuf makes the typed clients write and read protobuf and nothing else; in managers they prefer it to JSON.
func protobuf(config *rest.Config) (*kubernetes.Clientset, error) {
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf"
	return kubernetes.NewForConfig(config)
}

func until(ctx context.Context, condition func() (bool, error)) error {
	return wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(context.Context) (bool, error) { return condition() })
}

func prepareNamespace(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	created, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	err = until(ctx, func() (bool, error) {
		_, err := client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	})
	return map[string]any{"phase": created.Status.Phase, "label": created.Labels["kubernetes.io/metadata.name"]}, err
}

func typedClients(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	deployment, err := client.AppsV1().Deployments(namespace).Create(ctx, testDeployment(), metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	scale, err := client.AppsV1().Deployments(namespace).UpdateScale(ctx, "web", &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: namespace},
		Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
	}, metav1.UpdateOptions{})
	if err != nil {
		return nil, err
	}
	deployment.Status.Replicas = 3
	current, err := client.AppsV1().Deployments(namespace).Get(ctx, "web", metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	current.Status.Replicas = 3
	status, err := client.AppsV1().Deployments(namespace).UpdateStatus(ctx, current, metav1.UpdateOptions{})
	if err != nil {
		return nil, err
	}
	secret, err := client.CoreV1().Secrets(namespace).Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "made-"},
		Data:       map[string][]byte{"bytes": {0, 1, 255}},
		StringData: map[string]string{"text": "hello"},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	pod, err := client.CoreV1().Pods(namespace).Create(ctx, testPod(), metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	eviction := &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: namespace}}
	if err := client.PolicyV1().Evictions(namespace).Evict(ctx, eviction); err != nil {
		return nil, err
	}
	uid := deployment.UID
	background := metav1.DeletePropagationBackground
	err = client.AppsV1().Deployments(namespace).Delete(ctx, "web", metav1.DeleteOptions{
		Preconditions:     &metav1.Preconditions{UID: &uid},
		PropagationPolicy: &background,
	})
	if err != nil {
		return nil, err
	}
	_, absent := client.CoreV1().Secrets(namespace).Get(ctx, "absent", metav1.GetOptions{})
	return map[string]any{
		"strategy":  deployment.Spec.Strategy.Type,
		"scale":     scale.Spec.Replicas,
		"status":    status.Status.Replicas,
		"bytes":     secret.Data["bytes"],
		"text":      string(secret.Data["text"]),
		"quality":   pod.Status.QOSClass,
		"cpu":       pod.Spec.Containers[0].Resources.Requests.Cpu().String(),
		"not found": apierrors.IsNotFound(absent),
	}, nil
}

func testDeployment() *appsv1.Deployment {
	labels := map[string]string{"app": "web"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: testPod().Spec},
		},
	}
}

func testPod() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "lonely"},
		Spec: corev1.PodSpec{Containers: []corev1.Container{{
			Name:      "main",
			Image:     "example.com/main:v1",
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.1")}},
		}}},
	}
}

func typedInformers(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	events := make(chan string, 100)
	configMaps := factory.Core().V1().ConfigMaps()
	_, err = configMaps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { tell(events, "added", object) },
		UpdateFunc: func(_, object any) { tell(events, "updated", object) },
		DeleteFunc: func(object any) { tell(events, "deleted", object) },
	})
	if err != nil {
		return nil, err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), configMaps.Informer().HasSynced) {
		return nil, fmt.Errorf("the cache never synced")
	}
	one := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "watched"}, Data: map[string]string{"a": "1"}}
	if one, err = client.CoreV1().ConfigMaps(namespace).Create(ctx, one, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	one.Data["a"] = "2"
	if _, err = client.CoreV1().ConfigMaps(namespace).Update(ctx, one, metav1.UpdateOptions{}); err != nil {
		return nil, err
	}
	if err = client.CoreV1().ConfigMaps(namespace).Delete(ctx, "watched", metav1.DeleteOptions{}); err != nil {
		return nil, err
	}
	seen := []string{}
	for len(seen) < 3 {
		select {
		case event := <-events:
			seen = append(seen, event)
		case <-ctx.Done():
			return nil, fmt.Errorf("only saw %v", seen)
		}
	}
	return seen, nil
}

func tell(events chan<- string, what string, object any) {
	if accessor, ok := object.(metav1.Object); ok && accessor.GetName() == "watched" {
		events <- what
	}
}

func conflicts(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	first, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "fought-over"}}, metav1.CreateOptions{})
	if err != nil {
		return nil, err
	}
	stale := first.DeepCopy()
	first.Data = map[string]string{"count": "1"}
	if _, err = maps.Update(ctx, first, metav1.UpdateOptions{}); err != nil {
		return nil, err
	}
	stale.Data = map[string]string{"count": "0"}
	_, lost := maps.Update(ctx, stale, metav1.UpdateOptions{})
	attempts := 0
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		attempts++
		if attempts > 1 {
			if stale, err = maps.Get(ctx, "fought-over", metav1.GetOptions{}); err != nil {
				return err
			}
		}
		stale.Data = map[string]string{"count": "2"}
		_, err := maps.Update(ctx, stale, metav1.UpdateOptions{})
		return err
	})
	_, again := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "fought-over"}}, metav1.CreateOptions{})
	return map[string]any{"conflict": apierrors.IsConflict(lost), "attempts": attempts, "exists": apierrors.IsAlreadyExists(again)}, err
}

func serverSideApply(ctx context.Context, config *rest.Config) (any, error) {
	client, err := protobuf(config)
	if err != nil {
		return nil, err
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	wanted := func(value string) *corev1apply.ConfigMapApplyConfiguration {
		return corev1apply.ConfigMap("applied", namespace).WithData(map[string]string{"a": value})
	}
	if _, err = maps.Apply(ctx, wanted("1"), metav1.ApplyOptions{FieldManager: "one"}); err != nil {
		return nil, err
	}
	_, refused := maps.Apply(ctx, wanted("2"), metav1.ApplyOptions{FieldManager: "two"})
	forced, err := maps.Apply(ctx, wanted("2"), metav1.ApplyOptions{FieldManager: "two", Force: true})
	if err != nil {
		return nil, err
	}
	own, err := corev1apply.ExtractConfigMap(forced, "two")
	if err != nil {
		return nil, err
	}
	return map[string]any{"conflict": apierrors.IsConflict(refused), "managers": len(forced.ManagedFields), "own": own.Data}, nil
}
